import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, markOf, type ProcessMark } from '../../files/process-mark.ts';
import { makeOwnFolder, writeDurably } from '../orders/durable.ts';

/** An agent without its supervisor exits gracefully within 4.5 s; otherwise it hangs. */
const endsWithinMs = 6_000;
const killedWithinMs = 2_000;
const pollMs = 20;

const fileIn = (home: string) => join(home, 'child.json');

/** Records the agent for the next supervisor: if this supervisor is killed, its agent may still be exiting. */
export async function rememberChild(home: string, pid: number): Promise<void> {
  await makeOwnFolder(home);
  await writeDurably(fileIn(home), JSON.stringify(await markOf(pid)));
}

export const forgetChild = (home: string) => rm(fileIn(home), { force: true });

/** The agent that an earlier supervisor left; undefined if there is none. */
export async function readOrphan(home: string): Promise<ProcessMark | undefined> {
  const text = await readFile(fileIn(home), 'utf8').catch(() => '');
  try {
    const mark = JSON.parse(text) as ProcessMark;
    return Number.isSafeInteger(mark.pid) && mark.pid > 1 ? mark : undefined;
  } catch {
    return undefined;
  }
}

/** Resolves within 8 s, once the agent that an earlier supervisor left has exited: a robot never has two agents. */
export async function waitForOrphanExit(home: string): Promise<void> {
  const mark = await readOrphan(home);
  if (!mark) return;
  const beganMs = performance.now();
  while (await isAlive(mark)) {
    const tookMs = performance.now() - beganMs;
    if (tookMs > endsWithinMs) end(mark);
    // A process of another user, or one that waits for a disk: the agent's lock keeps the two apart.
    if (tookMs > endsWithinMs + killedWithinMs) break;
    await pause(pollMs);
  }
  await forgetChild(home).catch(() => undefined);
}

function end({ pid }: ProcessMark): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended, or belongs to another user.
  }
}
