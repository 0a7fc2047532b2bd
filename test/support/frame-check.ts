import asyncApi from '../../generated/asyncapi.json' with { type: 'json' };
import { ajv, closed } from './contract-check.ts';

ajv.addSchema(closed(asyncApi) as object, 'frames');

interface Ref {
  $ref: string;
}
const channels = asyncApi.channels as Record<string, { messages: Record<string, Ref> }>;
const messages = asyncApi.components.messages as Record<string, { payload?: Ref }>;
const nameIn = ({ $ref }: Ref) => $ref.split('/').at(-1) ?? '';

/**
 * Returns a function that parses a frame, and throws unless the contract allows the service to send it there.
 * `operation`: its name in AsyncAPI.
 */
export function frameCheck(operation: 'sendToAgent' | 'sendLogs'): (text: string) => unknown {
  const { channel, messages: sent } = asyncApi.operations[operation];
  const ofChannel = channels[nameIn(channel)]?.messages ?? {};
  const payloads = sent.flatMap((ref) => {
    const message = ofChannel[nameIn(ref)];
    return message === undefined ? [] : (messages[nameIn(message)]?.payload?.$ref ?? []);
  });
  const validate = ajv.compile({ oneOf: payloads.map((ref) => ({ $ref: `frames${ref}` })) });
  return (text) => {
    const frame: unknown = JSON.parse(text);
    if (!validate(frame))
      throw new Error(`no frame of ${operation}: ${text.slice(0, 300)}: ${ajv.errorsText(validate.errors)}`);
    return frame;
  };
}
