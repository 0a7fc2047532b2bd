import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { limits } from '../../../generated/protocol.js';
import { isAlive, markOf, type ProcessMark } from '../../files/process-mark.ts';
import { runCommand, signalGroup } from '../orders/command.ts';
import { makeOwnFolder } from '../orders/durable.ts';
import { StepFailed, type Handler, type Task } from '../orders/handler.ts';
import { withTail } from '../orders/text.ts';
import { digestOf, obtainArtifact } from './artifact.ts';
import { fileNameOf, type Kind, type Release, type ReleaseSettings } from './release.ts';

const executable = 0o700;
const timeoutMs = 600_000;
/** Of a child process that another part of the agent is starting: until that runs it holds the copy open. */
const busyTries = 5;
const busyWaitMs = 100;
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Releases that are a program, which is run once: it ends with 0, or the order has failed. There is no way back but what the program does
 * itself. One that a crash of the agent cut is never run again.
 */
export const scriptKind: Kind = { handler: scriptHandler };

function scriptHandler(settings: ReleaseSettings, release: Release, task: Task): Handler {
  const program = join(task.directory, fileNameOf(release));
  const work = join(task.directory, 'work');

  async function run() {
    let remembered: Promise<void> | undefined;
    const end = await runCommand({
      command: program,
      args: [],
      cwd: work,
      environment: environmentOf(release, task, program, work),
      timeoutMs,
      signal: task.stopping,
      onStarted(pid) {
        remembered = remember(task, pid).catch(() => undefined);
      },
      onLine: (line) => task.say('release:script', line),
    });
    await remembered;
    return end;
  }

  return {
    async download() {
      await obtainArtifact(settings, release, { path: program, mode: executable }, task);
    },
    async install() {
      await makeOwnFolder(work);
    },
    async activate() {
      // Of what runs: afterwards it may have changed or deleted itself.
      const digest = await digestOf(program);
      if (digest !== release.sha256) throw new StepFailed('verify_failed', `the SHA-256 of the program is ${digest}`);
      let end = await run();
      for (let tries = 1; end.how === 'not_started' && end.text.includes('ETXTBSY') && tries < busyTries; tries += 1) {
        await pause(busyWaitMs);
        end = await run();
      }
      if (end.code === 0) return;
      const reasons = { exited: 'install_failed', not_started: 'install_failed', timed_out: 'timed_out' };
      const reason = end.how === 'stopped' ? 'interrupted' : reasons[end.how];
      throw new StepFailed(reason, withTail(end.text, end.tail, limits.maxReportMessageBytes));
    },
    verify: async () => release.sha256,
    async resume(step) {
      if (step !== 'activate') return;
      const mark = task.notes['process'] as ProcessMark | undefined;
      if (mark && (await isAlive(mark))) signalGroup(mark.pid, 'SIGKILL');
      throw new StepFailed('interrupted', 'the agent ended while the program ran; it is not run again');
    },
  };
}

/** So that what a crash of the agent leaves running is known, and ended, with the next start. */
async function remember(task: Task, pid: number): Promise<void> {
  task.notes['process'] = await markOf(pid);
  await task.save();
}

/** All that the program gets: nothing of the agent's own. */
const environmentOf = (release: Release, { order }: Task, artifact: string, work: string): Record<string, string> => ({
  PATH: path,
  SVC_DEPLOYMENT_ID: order.deployments[0] ?? '',
  SVC_ORDER_ID: order.order_id,
  SVC_RELEASE_ID: release.id,
  SVC_RELEASE_TAG: release.tag,
  SVC_KIND: release.kind,
  SVC_ARTIFACT: artifact,
  SVC_ARTIFACT_SHA256: release.sha256,
  SVC_ARTIFACT_SIZE: String(release.size),
  SVC_WORK_DIR: work,
});
