import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import asyncApi from '../../generated/asyncapi.json' with { type: 'json' };
import { closed } from './contract-check.ts';

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;
const ajv = new Ajv2020({ strict: false, formats: { int32: true, int64: true } });
addFormats(ajv);
ajv.addSchema(closed(asyncApi) as object, 'frames');

interface Ref {
  $ref: string;
}
const channels = asyncApi.channels as Record<string, { messages: Record<string, Ref> }>;
const messages = asyncApi.components.messages as Record<string, { payload?: Ref }>;
const nameIn = ({ $ref }: Ref) => $ref.split('/').at(-1) ?? '';

/**
 * Returns a function that throws unless the contract allows the service to send this text there. `operation`: its name
 * in AsyncAPI.
 */
export function frameCheck(operation: 'sendToAgent' | 'sendLogs'): (text: string) => void {
  const { channel, messages: sent } = asyncApi.operations[operation];
  const ofChannel = channels[nameIn(channel)]?.messages ?? {};
  const payloads = sent.flatMap((ref) => {
    const message = ofChannel[nameIn(ref)];
    return message === undefined ? [] : (messages[nameIn(message)]?.payload?.$ref ?? []);
  });
  const validate = ajv.compile({ oneOf: payloads.map((ref) => ({ $ref: `frames${ref}` })) });
  return (text) => {
    if (!validate(JSON.parse(text)))
      throw new Error(`no frame of ${operation}: ${text.slice(0, 300)}: ${ajv.errorsText(validate.errors)}`);
  };
}
