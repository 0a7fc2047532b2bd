import { StreamError, type StreamReason } from '../errors.ts';
import type { StreamKind } from '../types.ts';
import { closeCodes } from '../../../generated/protocol.js';
import type { StreamClose } from './socket.ts';
import type { StreamSocket } from './stream-socket.ts';

type Query = Record<string, string | number | undefined>;

/** The way to streams of the service. */
export interface StreamConnector {
  /** `protocol`: the subprotocol to speak; default none. */
  open(robotId: string, kind: StreamKind, path: string, query: Query, protocol?: string): Promise<StreamSocket>;
  /** The `seq` of the newest record of its logs; 0 where there is none. */
  newestSeq(robotId: string): Promise<number>;
  /** A network that is silent for so long is gone. */
  silentSeconds: number;
}

/** A text in a browser, bytes from `ws`. */
const textOf = (data: unknown): string => (typeof data === 'string' ? data : new TextDecoder().decode(bytesOf(data)));

/** Of a text frame; undefined for what is none of ours, which is left out like frames of later versions. */
export function fieldsOf(data: unknown): Record<string, unknown> | undefined {
  try {
    const frame: unknown = JSON.parse(textOf(data));
    return typeof frame === 'object' && frame !== null ? (frame as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Of a binary frame. */
export function bytesOf(data: unknown): Uint8Array {
  if (data instanceof Uint8Array) return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new TextEncoder().encode(String(data));
}

const reasons: Partial<Record<number, StreamReason>> = {
  [closeCodes.ended]: 'ended',
  [closeCodes.policy]: 'invalid',
  [closeCodes.tooBig]: 'invalid',
  [closeCodes.serverError]: 'failed',
  [closeCodes.restarting]: 'restarting',
  [closeCodes.tryLater]: 'restarting',
  [closeCodes.unauthorized]: 'unauthorized',
  [closeCodes.forbidden]: 'forbidden',
  [closeCodes.notFound]: 'not_found',
  [closeCodes.replaced]: 'replaced',
  [closeCodes.gone]: 'gone',
  [closeCodes.busy]: 'busy',
  [closeCodes.agentOffline]: 'offline',
  [closeCodes.protocolUnsupported]: 'unsupported',
};

/** Of an upgrade that was refused; only `ws` tells it, in these words. */
const refusals: Partial<Record<string, StreamReason>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
};

/** How the reason of a close begins where the robot's agent sent what breaks the protocol; see `spec/close-codes.yaml`. */
const agentBroke = 'the robot broke the protocol';

/** After these no other connection would fare better. */
const finalReasons: readonly StreamReason[] = [
  ...['invalid', 'broken', 'unauthorized', 'forbidden', 'not_found', 'gone', 'unsupported'],
];

/** What the end of a stream's connection means. `isFinal`: no other one would fare better. */
export function endOf({ code, reason, hasOpened }: StreamClose): { isFinal: boolean; error: StreamError } {
  const [, status = ''] = /server response: (\d{3})$/.exec(reason) ?? [];
  const why = reason.startsWith(agentBroke)
    ? 'broken'
    : (reasons[code] ?? (hasOpened ? 'lost' : (refusals[status] ?? 'unopened')));
  const message = reason || (hasOpened ? `the stream ended (${code})` : 'the stream could not be opened');
  return { isFinal: finalReasons.includes(why), error: new StreamError(message, code, why) };
}
