import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from './folder.ts';
import { thisProcess, isAlive, type ProcessMark } from './process-mark.ts';

/** Another live process holds the lock. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError';
  readonly pid: number;

  constructor(path: string, pid: number) {
    super(`${path} is held by process ${pid}`);
    this.pid = pid;
  }
}

/** The lock cannot be created: its folder is not writable, or its file system has no links. */
export class LockFileError extends Error {
  override readonly name = 'LockFileError';
}

/** Wait for another process's takeover, which takes a few milliseconds. */
const takeoverPollMs = 10;

/**
 * Holds the lock until it is disposed of or this process ends; creates its folder if missing. If its process is gone,
 * by kill -9 or a power cut, the lock is taken over at once. It works between processes of one machine: one in another
 * container, or on another machine that mounts the same folder, is not detected.
 *
 * States of the file: absent → held (a link to a complete file: no process ever reads half of one) → absent, or stale
 * after its process died → absent, under `<path>.takeover`, so that only one of several processes removes a stale file,
 * and never a new one.
 *
 * Throws LockHeldError if another process holds it, also for a second call in this process; LockFileError if no lock
 * can be created there.
 */
export async function holdLock(path: string): Promise<Disposable> {
  const own = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  const text = textOf(await thisProcess());
  try {
    if ((await makeFolder(dirname(path), 0o700)) !== undefined) await chmod(dirname(path), 0o700);
    await writeFile(own, text, { flag: 'wx', mode: 0o600 });
    while (!(await linked(own, path))) await waitFor(path, own);
  } catch (error) {
    if (error instanceof LockHeldError) throw error;
    throw new LockFileError(`cannot make ${path}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    await rm(own, { force: true }).catch(() => undefined);
  }
  const release = () => {
    process.off('exit', release);
    // If it was deleted by hand, another process may have taken the lock since.
    if (readIfThere(path) === text) rmSync(path, { force: true });
  };
  process.on('exit', release);
  return { [Symbol.dispose]: release };
}

/** Returns when a new attempt is useful. */
async function waitFor(path: string, own: string): Promise<void> {
  if (!(await isLeftBehind(path))) return;
  const takeover = `${path}.takeover`;
  if (await linked(own, takeover)) {
    try {
      // Checked again: another process may have taken it over before. From here on only this process changes a stale
      // lock.
      if (await isLeftBehind(path)) await rm(path, { force: true });
    } finally {
      await rm(takeover, { force: true });
    }
    return;
  }
  const taker = await holderOf(takeover);
  if (taker === 'nobody' || (taker && !(await isAlive(taker)))) await rm(takeover, { force: true });
  else await delay(takeoverPollMs);
}

/** False if the file is gone. Throws LockHeldError if its process is alive. */
async function isLeftBehind(path: string): Promise<boolean> {
  const holder = await holderOf(path);
  if (holder === undefined || holder === 'nobody') return holder === 'nobody';
  if (await isAlive(holder)) throw new LockHeldError(path, holder.pid);
  return true;
}

/** False if the name is taken. */
async function linked(file: string, name: string): Promise<boolean> {
  try {
    await link(file, name);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

const textOf = ({ pid, started }: ProcessMark) => `${pid}\n${started ?? ''}\n`;

/** Undefined if there is no file; `nobody` if a power cut emptied it. */
async function holderOf(path: string): Promise<ProcessMark | 'nobody' | undefined> {
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  if (text === undefined) return undefined;
  const [pid = '', started = ''] = text.split('\n');
  if (!/^[1-9]\d{0,9}$/.test(pid)) return 'nobody';
  return { pid: Number(pid), started: started === '' ? undefined : started };
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
