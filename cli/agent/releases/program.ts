import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../../generated/protocol.js';
import { isAlive, markOf, type ProcessMark } from '../../files/process-mark.ts';
import { runCommand, signalGroup, type CommandEnd, type CommandSettings } from '../orders/command.ts';
import { StepFailed, Stopped, type Task } from '../orders/handler.ts';
import { withTail } from '../orders/text.ts';
import type { Release } from './release.ts';

interface ProgramCall extends Pick<CommandSettings, 'command' | 'environment' | 'timeoutMs' | 'onMessage'> {
  /** Default: none. */
  args?: readonly string[];
  cwd: string;
  /** What its lines are in the logs of the robot. */
  source: string;
  /** Ends it early. Default: the end of the agent. */
  signal?: AbortSignal;
}

/** Of a child process that another part of the agent is starting: until that runs it holds a copy of the program open. */
const busyTries = 5;
const busyWaitMs = 100;
/** A killed process is gone within milliseconds, but where the disk that it writes to hangs. */
const deadWithinMs = 2_000;
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Runs a program of a release to its end. One that an agent before this one left running is ended first: two of an order never run at the
 * same time. Throws Stopped when it was ended with the agent, and what the signal throws when that ended it.
 */
export async function runProgram(call: ProgramCall, task: Task): Promise<CommandEnd> {
  await endEarlier(task);
  const signal = call.signal ?? task.stopping;
  for (let tries = 1; ; tries += 1) {
    const end = await runOnce({ ...call, signal }, task);
    if (end.how === 'stopped') {
      if (task.stopping.aborted) throw new Stopped();
      signal.throwIfAborted();
    }
    const isBusy = end.how === 'not_started' && end.text.includes('ETXTBSY');
    if (!isBusy || tries === busyTries) return end;
    await pause(busyWaitMs);
  }
}

async function runOnce({ source, args = [], ...call }: ProgramCall & { signal: AbortSignal }, task: Task) {
  let remembered: Promise<void> | undefined;
  const end = await runCommand({
    ...call,
    args,
    onStarted(pid) {
      remembered = remember(task, pid).catch(() => undefined);
    },
    onLine: (line) => task.say(source, line),
  });
  await remembered;
  return end;
}

/** So that what a crash of the agent leaves running is known, and ended, with the next start. */
async function remember(task: Task, pid: number): Promise<void> {
  task.notes['process'] = await markOf(pid);
  await task.save();
}

/** Ends what an agent before this one left running of the order, with all that is in its process group. */
export async function endEarlier({ notes }: Task): Promise<void> {
  const mark = notes['process'] as ProcessMark | undefined;
  if (!mark || !(await isAlive(mark))) return;
  signalGroup(mark.pid, 'SIGKILL');
  for (const until = performance.now() + deadWithinMs; performance.now() < until && (await isAlive(mark));)
    await pause(20);
}

/** Why it did not succeed: `reason`, or that it took too long, with the last that it said. `name` says which program it was. */
export function failureOf({ how, text, tail }: CommandEnd, reason: string, name?: string): StepFailed {
  const message = withTail(name === undefined ? text : `${name}: ${text}`, tail, limits.maxReportMessageBytes);
  return new StepFailed(how === 'timed_out' ? 'timed_out' : reason, message);
}

/** All that a program of a release gets: nothing of the agent's own. */
export const environmentOf = (release: Release, { order }: Task, work: string): Record<string, string> => ({
  PATH: path,
  SVC_DEPLOYMENT_ID: order.deployments[0] ?? '',
  SVC_ORDER_ID: order.order_id,
  SVC_RELEASE_ID: release.id,
  SVC_RELEASE_TAG: release.tag,
  SVC_KIND: release.kind,
  SVC_ARTIFACT_SHA256: release.sha256,
  SVC_ARTIFACT_SIZE: String(release.size),
  SVC_WORK_DIR: work,
});

/** What a program gets that is asked outside of any order. */
export const plainEnvironment = (): Record<string, string> => ({ PATH: path });
