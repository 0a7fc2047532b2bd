import { StreamError, type StreamReason } from '../client/errors.ts';
import { CliError, type ErrorCode } from '../command-line/errors.ts';
import { exitCode, type ExitCode } from '../command-line/exit-codes.ts';

const signIn = 'Run: cli login --token <token>';
const byReason: Partial<Record<StreamReason, { code: ErrorCode; exit?: ExitCode; hint?: string }>> = {
  unauthorized: { code: 'unauthorized', exit: exitCode.auth, hint: signIn },
  forbidden: { code: 'forbidden' },
  not_found: { code: 'not_found', exit: exitCode.notFound },
};

/** What people are told of the end of a live stream, with the exit code that belongs to it. Other errors are left as they are. */
export function cliErrorOf(error: unknown): unknown {
  if (!(error instanceof StreamError)) return error;
  const { message, reason, cause } = error;
  if (cause instanceof CliError) return cause;
  if (reason === 'offline') return new CliError('agent offline', { code: 'conflict', exit: exitCode.agentOffline });
  return new CliError(message, { ...byReason[reason], cause: error });
}

/** The same in one line, of an end that may pass. */
export const wordsOf = (error: Error): string => (cliErrorOf(error) as Error).message;

/** Rejects with what people are told. */
export async function withCliErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw cliErrorOf(error);
  }
}
