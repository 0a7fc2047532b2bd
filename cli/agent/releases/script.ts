import { join } from 'node:path';
import { makeOwnFolder } from '../orders/durable.ts';
import { StepFailed, Stopped, type Handler, type OrderContext } from '../orders/handler.ts';
import { obtainArtifact } from './artifact.ts';
import { digestOf } from './digest.ts';
import { endEarlier, environmentOf, failureOf, runProgram } from './program.ts';
import { fileNameOf, type Kind, type Release, type ReleaseSettings } from './release.ts';

const executable = 0o700;
const timeoutMs = 600_000;

/**
 * Releases that are a program, which runs once. The order fails unless the program exits with 0. There is no rollback
 * except what the program does itself. A program interrupted by a crash of the agent never runs again.
 */
export const scriptKind: Kind = { handler: scriptHandler };

function scriptHandler(settings: ReleaseSettings, release: Release, task: OrderContext): Handler {
  const program = join(task.directory, 'artifact', fileNameOf(release));
  const work = join(task.directory, 'work');
  return {
    async download() {
      await obtainArtifact(settings, release, { path: program, mode: executable }, task);
    },
    async install() {
      await makeOwnFolder(work);
    },
    async activate() {
      // Checked before the run: the program may change or delete itself.
      const digest = await digestOf(program);
      if (digest !== release.sha256) throw new StepFailed('verify_failed', `the SHA-256 of the program is ${digest}`);
      const environment = { ...environmentOf(release, task, work), SVC_ARTIFACT: program };
      const call = { command: program, cwd: work, environment, timeoutMs, source: 'release:script' };
      const end = await runProgram(call, task).catch((error: unknown) => {
        if (!(error instanceof Stopped)) throw error;
        throw new StepFailed('interrupted', 'it was ended with the agent');
      });
      if (end.code !== 0) throw failureOf(end, 'install_failed');
    },
    verify: async () => release.sha256,
    async resume(step) {
      if (step !== 'activate') return;
      await endEarlier(task);
      throw new StepFailed('interrupted', 'the agent ended while the program ran; it is not run again');
    },
  };
}
