import { join } from 'node:path';
import { CliError } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { holdLock, LockFileError, LockHeldError } from '../../files/lock.ts';
import { callWhenLate } from '../../command-line/timeouts.ts';
import { agentOf } from '../../command-line/program.ts';
import type { Invocation } from '../../command-line/command-spec.ts';

const answersWithinMs = 5_000;

/**
 * Holds the lock beside agent.toml while the work runs. Two agents at once would be two robots with one identity file,
 * or one robot twice. Throws CliError if another agent runs.
 */
export async function asOnlyAgent<T>(call: Invocation, work: (call: Invocation) => Promise<T>): Promise<T> {
  const lock = await agentLock(call);
  try {
    return await work(call);
  } finally {
    lock[Symbol.dispose]();
  }
}

async function agentLock({ command, environment: { configDirectory }, io }: Invocation): Promise<Disposable> {
  try {
    return await callWhenLate(holdLock(join(configDirectory, 'agent.lock')), answersWithinMs, () =>
      io.note(`Warning: ${configDirectory} does not respond. The agent starts when it does.`),
    );
  } catch (error) {
    if (isFull(error)) {
      io.note(`Warning: ${error.message}. A second agent would not be noticed.`);
      return { [Symbol.dispose]: () => undefined };
    }
    if (error instanceof LockFileError)
      throw new CliError(error.message, {
        code: 'bad_request',
        hint: 'Use a folder that you can write to.',
        cause: error,
      });
    if (!(error instanceof LockHeldError)) throw error;
    throw new CliError(`another agent is already running here, as process ${error.pid}`, {
      code: 'conflict',
      exit: exitCode.conflict,
      hint: `Stop it with: kill ${error.pid}   For a second robot on this machine, use another folder: XDG_CONFIG_HOME=<folder> ${agentOf(command)} run`,
      cause: error,
    });
  }
}

/** A robot whose disk is full, or read-only after a fault, needs its agent more than ever. */
function isFull(error: unknown): error is LockFileError {
  if (!(error instanceof LockFileError) || !(error.cause instanceof Error) || !('code' in error.cause)) return false;
  return ['ENOSPC', 'EDQUOT', 'EROFS'].includes(String(error.cause.code));
}
