import { closeCodes } from '../../../generated/protocol.js';
import { NetworkError } from '../../transport/http.ts';
import { CliError } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { endOf, type StreamEnd } from '../viewer-socket.ts';

/** Closes after which no other connection would fare better. */
const finalCodes: readonly number[] = [
  closeCodes.ended,
  closeCodes.policy,
  closeCodes.tooBig,
  closeCodes.replaced,
  closeCodes.gone,
  closeCodes.protocolUnsupported,
];

const sentences: Partial<Record<number, string>> = {
  [closeCodes.ended]: 'the robot ended the shell without saying how',
  [closeCodes.replaced]: 'the shell was taken over by another connection',
  [closeCodes.gone]: 'the shell is gone from the robot',
};

/** What the close of a shell's connection means. */
export function shellEndOf(code: number, reason: string): StreamEnd {
  const end = endOf(code, reason);
  const sentence = sentences[code];
  if (sentence !== undefined) return { isFinal: true, error: new CliError(sentence) };
  return { ...end, isFinal: end.isFinal || finalCodes.includes(code) };
}

/** No connection came about at all. A script must not take that for an exit code of its command, so it is that of one that was lost. */
export const unreachable = ({ message, hint, cause, code }: CliError) =>
  new CliError(message, { code, hint, cause, exit: exitCode.linkLost });

/** Whether nothing answered where the service should be. */
export const isUnreachable = (error: unknown): error is CliError =>
  error instanceof CliError && error.cause instanceof NetworkError;

/** The shell had begun: whatever ended the connection, how the shell ends is not known. */
export const cutOff = (message: string, cause: Error) =>
  new CliError(message, { exit: exitCode.linkLost, cause, hint: cause instanceof CliError ? cause.hint : undefined });
