import { forbiddenHint } from '../api/api-errors.ts';
import { StreamError, type StreamReason } from '../client/errors.ts';
import { CliError, type ErrorCode } from '../command-line/errors.ts';
import { exitCode, type ExitCode } from '../command-line/exit-codes.ts';

const signIn = 'Sign in with: cli login';
const byReason: Partial<Record<StreamReason, { code: ErrorCode; exit?: ExitCode; hint?: string }>> = {
  unauthorized: { code: 'unauthorized', exit: exitCode.auth, hint: signIn },
  forbidden: { code: 'forbidden', hint: forbiddenHint },
  not_found: { code: 'not_found', exit: exitCode.notFound },
};

/** The error for people at the end of a live stream, with its exit code. Other errors stay unchanged. */
export function cliErrorOf(error: unknown): unknown {
  if (!(error instanceof StreamError)) return error;
  const { message, reason, cause } = error;
  if (cause instanceof CliError) return cause;
  if (reason === 'offline') return new CliError('agent offline', { code: 'conflict', exit: exitCode.agentOffline });
  return new CliError(message, { ...byReason[reason], cause: error });
}

/** The same as one line, for an end that may be transient. */
export const wordsOf = (error: Error): string => (cliErrorOf(error) as Error).message;

/** Rejects with the error for people. */
export async function withCliErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw cliErrorOf(error);
  }
}
