import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, markOf, type ProcessMark } from '../../files/process-mark.ts';
import { makeOwnFolder, writeDurably } from '../orders/durable.ts';

/** An agent whose supervisor is gone ends in order within 4.5 s; one that does not hangs. */
const endsWithinMs = 6_000;
const killedWithinMs = 2_000;
const pollMs = 20;

const fileIn = (home: string) => join(home, 'child.json');

/** Tells a supervisor that starts after one was killed which agent that one left, as it may still be ending. */
export async function rememberChild(home: string, pid: number): Promise<void> {
  await makeOwnFolder(home);
  await writeDurably(fileIn(home), JSON.stringify(await markOf(pid)));
}

export const forgetChild = (home: string) => rm(fileIn(home), { force: true });

/** Undefined if no supervisor left any. */
export async function childLeft(home: string): Promise<ProcessMark | undefined> {
  const text = await readFile(fileIn(home), 'utf8').catch(() => '');
  try {
    const mark = JSON.parse(text) as ProcessMark;
    return Number.isSafeInteger(mark.pid) && mark.pid > 1 ? mark : undefined;
  } catch {
    return undefined;
  }
}

/** Resolves once what a supervisor left is gone: there are never two agents of one robot. Within 8 s. */
export async function outliveChild(home: string): Promise<void> {
  const mark = await childLeft(home);
  if (!mark) return;
  const beganMs = performance.now();
  while (await isAlive(mark)) {
    const tookMs = performance.now() - beganMs;
    if (tookMs > endsWithinMs) end(mark);
    // Another user's, or one that waits for a disk: the lock of the agent keeps the two apart.
    if (tookMs > endsWithinMs + killedWithinMs) break;
    await pause(pollMs);
  }
  await forgetChild(home).catch(() => undefined);
}

function end({ pid }: ProcessMark): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, or is another user's.
  }
}
