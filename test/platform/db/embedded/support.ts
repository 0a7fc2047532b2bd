import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { EmbeddedPostgres } from '../../../../src/platform/db/embedded/index.ts';
import { runningProcesses, type Process } from '../../../support/processes.ts';

export const root = fileURLToPath(new URL('../../../..', import.meta.url));

export const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export async function tempFolder(parent = tmpdir()): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(parent, 'fleet-embedded-'));
  await chmod(path, 0o711);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export interface Said {
  ready?: Pick<EmbeddedPostgres, 'firstStart' | 'connection'>;
  failed?: string;
  acknowledged?: number;
  message?: string;
}

export interface Holder extends AsyncDisposable {
  child: ChildProcessByStdio<Writable, Readable, null>;
  said: Said[];
  /** The first thing it says that `pick` finds something in. */
  hear<T>(pick: (said: Said) => T | undefined): Promise<T>;
  kill(): Promise<void>;
}

/** Starts `holder.ts`; disposing of it ends it in good order. */
export function startHolder(
  dataDir: string,
  options: { task?: 'insert'; uid?: number; env?: Record<string, string> } = {},
): Holder {
  const { task, uid, env } = options;
  const args = ['--import', 'tsx', join(root, 'test/platform/db/embedded/holder.ts'), dataDir, ...(task ? [task] : [])];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const said: Said[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => said.push(JSON.parse(line) as Said));
  const exited = once(child, 'exit');
  return {
    child,
    said,
    hear: async (pick) =>
      until(
        () => said.map(pick).find((found) => found !== undefined),
        `words of the holder; it said ${JSON.stringify(said)}`,
      ),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      if (task) child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Asks until there is an answer; fails after 25 s. */
export async function until<T>(ask: () => T | undefined | Promise<T | undefined>, what: string): Promise<T> {
  for (const deadline = Date.now() + 25_000; Date.now() < deadline; await delay(20)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
  }
  throw new Error(`waited 25 s for ${what}`);
}

/** What a very long data folder leaves under /tmp. */
export function linkBehind(socketFolder: string): AsyncDisposable & { path: string } {
  const path = dirname(socketFolder);
  return { path, [Symbol.asyncDispose]: () => rm(dirname(path), { recursive: true }) };
}

/** The server of a data folder with all of its children, shell and watchdog included. */
export function listProcesses(dataDir: string): Process[] {
  const processes = runningProcesses();
  const found = new Set(processes.filter(({ args }) => args.includes(`-D ${dataDir}`)).map(({ pid }) => pid));
  for (const { pid, parent } of processes) if (found.has(parent)) found.add(pid);
  return processes.filter(({ pid }) => found.has(pid));
}
