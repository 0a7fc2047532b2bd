import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../../generated/protocol.js';
import { isAlive, markOf, type ProcessMark } from '../../files/process-mark.ts';
import { runCommand, signalGroup, type CommandEnd, type CommandSettings } from '../orders/command.ts';
import { StepFailed, Stopped, type OrderContext } from '../orders/handler.ts';
import { withTail } from '../orders/text.ts';
import type { Release } from './release.ts';

interface ProgramCall extends Pick<CommandSettings, 'command' | 'environment' | 'timeoutMs' | 'onMessage'> {
  /** Default: none. */
  args?: readonly string[];
  cwd: string;
  /** Source of its lines in the logs of the robot. */
  source: string;
  /** Ends the program early. Default: when the agent exits. */
  signal?: AbortSignal;
}

/**
 * Retries for ETXTBSY: a child process that another part of the agent is starting holds the program open until it runs.
 */
const busyTries = 5;
const busyWaitMs = 100;
/** A killed process ends within milliseconds, unless the disk that it writes to hangs. */
const deadWithinMs = 2_000;
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Runs a program of a release to its end. First ends a program that an earlier agent left running: two programs of one
 * order never run at once. Throws Stopped if the program was ended with the agent, and the reason of the signal if that
 * ended it.
 */
export async function runProgram(call: ProgramCall, task: OrderContext): Promise<CommandEnd> {
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

async function runOnce({ source, args = [], ...call }: ProgramCall & { signal: AbortSignal }, task: OrderContext) {
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

/** Records the process, so that the next start can end it after a crash of the agent. */
async function remember(task: OrderContext, pid: number): Promise<void> {
  task.notes['process'] = await markOf(pid);
  await task.save();
}

/** Ends the process group that an earlier agent left running for this order. */
export async function endEarlier({ notes }: OrderContext): Promise<void> {
  const mark = notes['process'] as ProcessMark | undefined;
  if (!mark || !(await isAlive(mark))) return;
  signalGroup(mark.pid, 'SIGKILL');
  for (const until = performance.now() + deadWithinMs; performance.now() < until && (await isAlive(mark));)
    await pause(20);
}

/** Why the program failed: `reason`, or `timed_out`, with its last lines. `name`: the program, for the message. */
export function failureOf({ how, text, tail }: CommandEnd, reason: string, name?: string): StepFailed {
  const message = withTail(name === undefined ? text : `${name}: ${text}`, tail, limits.maxReportMessageBytes);
  return new StepFailed(how === 'timed_out' ? 'timed_out' : reason, message);
}

/** The whole environment of a release's program: nothing of the agent's own. */
export const environmentOf = (release: Release, { order }: OrderContext, work: string): Record<string, string> => ({
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

/** The environment of a program that runs outside of any order. */
export const plainEnvironment = (): Record<string, string> => ({ PATH: path });
