import { readFile } from 'node:fs/promises';
import { until } from './until.ts';

/**
 * The number of writes without an accepted frame: a frame has more bytes than this, messages between threads have
 * fewer.
 */
const leastTries = 20;
const leastFrameBytes = 1_000;

/** Resolves when the system's buffer for that interface's terminal is full: it tries to write, and cannot. */
export async function untilFull(pid: number): Promise<void> {
  let before = await writesOf(pid);
  await until(async () => {
    const now = await writesOf(pid);
    if (now.bytes - before.bytes > leastFrameBytes) before = now;
    return now.calls - before.calls >= leastTries;
  });
}

async function writesOf(pid: number): Promise<{ calls: number; bytes: number }> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8');
  const figure = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1]);
  return { calls: figure('syscw'), bytes: figure('wchar') };
}
