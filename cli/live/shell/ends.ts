import { CliError } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { NetworkError } from '../../transport/http.ts';
import type { ShellTrouble } from '../../transport/shell/resumable-session.ts';
import type { ConnectionEnd } from '../../client/streams/shell-connection.ts';
import { cliErrorOf } from '../stream-errors.ts';

/**
 * No connection opened. A script must not take this for an exit code of its command, so it gets that of a lost
 * connection.
 */
export const unreachable = ({ message, hint, cause, code }: CliError) =>
  new CliError(message, { code, hint, cause, exit: exitCode.linkLost });

/** Whether the service's address did not respond. */
export const isUnreachable = (error: unknown): error is CliError =>
  error instanceof CliError && error.cause instanceof NetworkError;

/** The shell had started: after a lost connection, its end is unknown. */
export const cutOff = (message: string, cause: Error) =>
  new CliError(message, { exit: exitCode.linkLost, cause, hint: cause instanceof CliError ? cause.hint : undefined });

/** The error for people, for a shell that did not end by itself. */
export function errorOf(trouble: ShellTrouble<ConnectionEnd>): CliError {
  switch (trouble.kind) {
    case 'unopened': {
      const error = cliErrorOfEnd(trouble.end);
      return isBroken(trouble.end, error) ? unreachable(error) : error;
    }
    case 'ended': {
      const error = cliErrorOfEnd(trouble.end);
      return cutOff(error.message, error);
    }
    case 'late': {
      const error = cliErrorOfEnd(trouble.end);
      return cutOff(
        `the connection was lost and did not return within ${trouble.graceSeconds} s: ${error.message}`,
        error,
      );
    }
    case 'failed': {
      const { message, reason } = trouble.frame;
      const error = new CliError(message ?? `the robot refused the shell: ${reason}`);
      return trouble.hasBegun ? cutOff(error.message, error) : error;
    }
    case 'broken': {
      const error = new CliError(`the robot’s agent ${trouble.what}`);
      return cutOff(error.message, error);
    }
  }
}

/** No response, or a disconnect without a close reason. */
const isBroken = ({ isFinal, error: { code, reason } }: ConnectionEnd, { status }: CliError): boolean =>
  !isFinal && code === 1006 && reason !== 'offline' && status === undefined;

const cliErrorOfEnd = ({ error }: ConnectionEnd) => cliErrorOf(error) as CliError;
