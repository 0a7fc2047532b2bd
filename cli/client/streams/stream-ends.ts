import { closeCodes } from '../../../generated/protocol.js';
import { StreamError, type StreamReason } from '../errors.ts';
import type { StreamClose } from './stream-connection.ts';

/** What a close code means for a viewer; see `spec/close-codes.yaml`. */
const reasons: Partial<Record<number, StreamReason>> = {
  [closeCodes.ended]: 'ended',
  1002: 'invalid',
  1007: 'invalid',
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

/** By the status of a refused upgrade. */
const refusals: Partial<Record<number, StreamReason>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
};
export const reasonOfStatus = (status: number): StreamReason => refusals[status] ?? 'unopened';

/**
 * Start of the close reason if the robot's agent sent something that breaks the protocol; see `spec/close-codes.yaml`.
 */
const agentBroke = 'the robot violated the protocol';

/** The error for the end of a stream's connection. */
export function endOf({ code, reason, hasOpened }: StreamClose): StreamError {
  // Only `ws` reports the status of a refusal, in these words.
  const [, status] = /server response: (\d{3})$/.exec(reason) ?? [];
  const why = reason.startsWith(agentBroke)
    ? 'broken'
    : (reasons[code] ?? (hasOpened ? 'lost' : reasonOfStatus(Number(status))));
  return new StreamError(reason || sentenceOf(code, hasOpened), code, why);
}

function sentenceOf(code: number, hasOpened: boolean): string {
  if (!hasOpened) return 'the stream could not be opened';
  return code === 1006 ? 'the connection was lost' : `the stream ended (${code})`;
}

const sentences: Partial<Record<StreamReason, string>> = {
  ended: 'the robot ended the shell without an exit code',
  replaced: 'the shell was taken over by another connection',
  gone: 'the shell no longer exists on the robot',
};

/** The same for a shell. One that was ended, or taken over by another connection, cannot be resumed. */
export function endOfShell(close: StreamClose): StreamError {
  const error = endOf(close);
  const { code, reason } = error;
  const isRetryable = error.isRetryable && reason !== 'ended' && reason !== 'replaced';
  return new StreamError(sentences[reason] ?? error.message, code, reason, { isRetryable });
}
