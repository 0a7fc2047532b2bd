import type { IncomingMessage } from 'node:http';
import { closeCodes, limits } from '../../generated/protocol.js';
import { messageOf } from './http.ts';
import { retryAfterSeconds } from './retry.ts';

/** Why a link ended or was not established. */
export interface Ending {
  reason: string;
  /** Close code, or HTTP status of a refused upgrade; undefined if there was neither. */
  code?: number | undefined;
  /** A retry with this token and program cannot succeed. */
  isFinal: boolean;
  /** The wait that the service requires; a random part is added. Default: the backoff. */
  waitMs?: number | undefined;
}

const finalCodes: readonly number[] = [closeCodes.unauthorized, closeCodes.protocolUnsupported, closeCodes.forbidden];
/** A longer `Retry-After` is treated as a mistake: a robot must reconnect on the day it can. */
const maxRetryAfterMs = 3_600_000;

const said: Record<number, string> = {
  [closeCodes.ended]: 'the service ended the link',
  [closeCodes.policy]: 'the service reports that the agent violated the protocol',
  [closeCodes.tooBig]: 'the service reports that a frame was too large',
  [closeCodes.serverError]: 'a fault of the service',
  [closeCodes.restarting]: 'the service restarts',
  [closeCodes.tryLater]: 'the service cannot accept the link at the moment',
  [closeCodes.unauthorized]: 'the token of this robot is no longer valid',
  [closeCodes.forbidden]: 'this robot may not connect',
  [closeCodes.helloTimeout]: 'the service received no hello in time',
  [closeCodes.replaced]: 'another agent connected as this robot',
  [closeCodes.protocolUnsupported]: 'the service does not support the protocol of this agent',
  1006: 'the connection was lost',
};

/** What a closed socket means. `text` is the reason in the close frame, written by the other side. */
export function closedWith(code: number, text: string): Ending {
  const known = said[code] ?? `the service closed the link with ${code}`;
  return {
    code,
    reason: text === '' || code === 1006 ? known : `${known}: ${text}`,
    isFinal: finalCodes.includes(code),
    ...(code === closeCodes.replaced && { waitMs: limits.replacedWaitMs }),
  };
}

/**
 * What a refused upgrade means. 426 means the same as 4426, unless it has an `Upgrade` header: then a proxy on the way
 * dropped the upgrade, which can be repaired.
 */
export function refusedWith({ statusCode: status = 0, headers }: IncomingMessage): Ending {
  const seconds = retryAfterSeconds(headers['retry-after'], headers.date) ?? 0;
  if (status === 426 && headers.upgrade !== undefined)
    return { code: status, reason: 'a proxy blocks WebSocket connections', isFinal: false };
  const known: Record<number, string> = {
    401: 'the token of this robot is unknown to the service',
    403: 'the service refuses this robot',
    426: 'the service does not support the protocol of this agent',
  };
  // A valid token that is not accepted for now.
  const isForNow = status === 401 && seconds > 0;
  return {
    code: status,
    reason: isForNow ? 'the org is suspended' : (known[status] ?? `the service responded with ${status}`),
    isFinal: status in known && !isForNow,
    ...(seconds > 0 && { waitMs: Math.min(seconds * 1000, maxRetryAfterMs) }),
  };
}

export const failedWith = (error: unknown): Ending => ({ reason: messageOf(error), isFinal: false });
