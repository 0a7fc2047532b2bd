import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from './folder.ts';
import { thisProcess, isAlive, type ProcessMark } from './process-mark.ts';

/** Another process that lives holds the lock. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError';
  readonly pid: number;

  constructor(path: string, pid: number) {
    super(`${path} is held by process ${pid}`);
    this.pid = pid;
  }
}

/** The lock cannot be made at all: its folder may not be written, or its file system knows no links. */
export class LockFileError extends Error {
  override readonly name = 'LockFileError';
}

/** How long another one's takeover may need; it is over in a few milliseconds. */
const takeoverPollMs = 10;

/**
 * Holds the lock until it is disposed of or this process ends; makes its folder if that is missing. A lock whose process is gone, by
 * kill -9 or a power cut, is taken over at once. It is for processes of one machine: one in another container, or on another machine that
 * mounts the same folder, is not seen.
 *
 * States of the file: absent → held (a link to a file that is complete: nobody ever reads half of one) → absent, or left behind by a
 * process that died → absent, under `<path>.takeover`, so that of several that found it only one removes it, and never a new one.
 *
 * Throws LockHeldError if another process holds it, and a second time in this process too; LockFileError if no lock can be made there.
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

/** Returns when it is worth another try. */
async function waitFor(path: string, own: string): Promise<void> {
  if (!(await isLeftBehind(path))) return;
  const takeover = `${path}.takeover`;
  if (await linked(own, takeover)) {
    try {
      // Looked at again: another one may have taken it over before. From here on nobody but this process changes a lock that was left behind.
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

/** False if there is no file any more. Throws LockHeldError if its process lives. */
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

/** Undefined if there is no file; nobody if a power cut emptied it. */
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
