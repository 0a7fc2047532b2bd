import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Line, Row } from './row.ts';

/** What the process of a row is told. */
export interface RowJob {
  id: string;
  /** Of `--rounds`. */
  rounds: number | undefined;
  isQuick: boolean;
  /** Processes that share the rounds of the row. */
  processes: number;
}

interface Failure {
  failure: string;
}
export type RowAnswer = { lines: Line[] } | Failure;

/** By `--processes`, else 3, and 1 under `--quick`; 1 for a row that is content with it. */
export const processesOf = ({ processes }: Pick<Row, 'processes'>, isQuick: boolean, wanted?: number): number =>
  processes ?? wanted ?? (isQuick ? 1 : 3);

/** Rounds that one process measures of those that a row has usually. */
export const roundsOf = ({ rounds, isQuick, processes }: Omit<RowJob, 'id'>, usual: number): number =>
  rounds ?? Math.ceil(usual / processes / (isQuick ? 3 : 1));

/** An aborted process has so long to delete what is not in its folder. */
const killAfterMs = 5_000;

/**
 * Measures a row, or what else the script measures, once in a process of its own. When this resolves, nothing is left of that process, of those that it started,
 * and of its temporary folder, however it ended.
 */
export async function runRow<Answer = RowAnswer>(
  script: string,
  job: object,
  signal: AbortSignal,
): Promise<Answer | Failure> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  await chmod(folder, 0o711); // where this is root, Postgres runs as another account
  const child = fork(script, {
    detached: true, // a group of its own, with all that it starts
    serialization: 'advanced', // JSON has no Infinity
    execArgv: [], // as the product runs: source maps take CPU even where nothing throws
    env: { ...process.env, NODE_ENV: 'production', TMPDIR: folder },
    stdio: ['ignore', process.stderr, process.stderr, 'ipc'], // stdout is for the results
  });
  let killing: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill();
    killing = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  };
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    let answer: Answer | undefined;
    child.once('message', (message: Answer) => (answer = message));
    child.send(job);
    const [[code, killedBy]] = await Promise.all([
      once(child, 'exit') as Promise<[number | null, string | null]>,
      once(child, 'disconnect'), // a message may come after the exit
    ]);
    return answer ?? { failure: `its process ended with ${String(killedBy ?? code)}` };
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(killing);
    killGroup(child.pid);
    // Postgres notices the end of its parent by itself, and may still be writing.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }
}

function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // nobody is left in it
  }
}
