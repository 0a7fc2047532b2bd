import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../transport/backoff.ts';
import { runCommand, type CommandEnd } from '../orders/command.ts';
import { makeOwnFolder, ownerOnlyMode } from '../orders/durable.ts';
import { StepFailed, Stopped, type Handler, type OrderContext } from '../orders/handler.ts';
import { obtainArtifact } from './artifact.ts';
import {
  exitCodes,
  handlerProtocol,
  readAbilities,
  readMessage,
  type ExecutableCapabilities,
  type ExecutableCall,
} from './executable-protocol.ts';
import { environmentOf, failureOf, plainEnvironment, runProgram } from './program.ts';
import { fileNameOf, type Kind, type Release, type ReleaseSettings } from './release.ts';

const maxCapabilitiesBytes = 16 * 1024;
/** Each run of the agent counts as a boot if no boot id is known. */
const bootOfThisRun = randomUUID();
const reasons: Partial<Record<ExecutableCall, string>> = { reboot: 'restart_failed', capabilities: 'no_handler' };

/**
 * Releases that an executable of the robot installs, called once per state of an order: protocol 1 of docs/reference/handler-protocol.md.
 */
export const executableKind = (executable: string, name: string): Kind => ({
  handler: (settings, release, task) => executableHandler(executable, settings, release, task),
  running: (settings, signal) => askRunning(executable, name, settings, signal),
});

/** The executable's permanent folder, kept across orders. */
const keptFolderOf = ({ folder }: ReleaseSettings, name: string) => join(folder, 'handlers', name);

const protocolEnvironment = (kept: string) => ({ SVC_PROTOCOL: String(handlerProtocol), SVC_STATE_DIR: kept });

interface StateCall {
  signal?: AbortSignal;
  /** Called with each stdout line that is not a message to the agent. Default: these lines go to the logs. */
  onOutput?: (line: string) => void;
}

/** How a state ended, and the release that it reported as running. */
interface StateEnd {
  end: CommandEnd;
  running: string | undefined;
}

async function executableHandler(
  executable: string,
  settings: ReleaseSettings,
  release: Release,
  task: OrderContext,
): Promise<Handler> {
  const work = join(task.directory, 'work');
  const kept = keptFolderOf(settings, release.kind);
  const artifact = join(task.directory, 'artifact', fileNameOf(release));
  const source = `handler:${release.kind}`;
  const environment = {
    ...environmentOf(release, task, work),
    ...protocolEnvironment(kept),
    SVC_ARTIFACT: artifact,
  };
  const bootId = settings.bootId ?? bootOfThisRun;
  let abilities: ExecutableCapabilities = readAbilities('');
  let wantsReboot = false;

  async function callOnce(
    state: ExecutableCall,
    timeoutMs: number,
    { signal, onOutput }: StateCall,
  ): Promise<StateEnd> {
    let running: string | undefined;
    const onMessage = (line: string) => {
      const said = readMessage(line);
      if (said === undefined) onOutput?.(line);
      else if ('running' in said) ({ running } = said);
      else task.progress(said.percent, said.text);
      return said !== undefined || onOutput !== undefined;
    };
    const program = { command: executable, args: [state], cwd: work, environment, timeoutMs, source, onMessage };
    const end = await runProgram({ ...program, ...(signal && { signal }) }, task);
    return { end, running };
  }

  /**
   * Retries after a pause while the executable reports a temporary failure. Throws StepFailed for an exit code that is
   * neither 0 nor an allowed reboot request.
   */
  async function call(state: ExecutableCall, options: StateCall = {}): Promise<StateEnd> {
    const { signal = task.stopping } = options;
    const until = performance.now() + abilities.timeoutSeconds[state] * 1000;
    const waits = backoffMs();
    for (;;) {
      const waitMs = waits.next().value;
      const called = await callOnce(state, Math.ceil((until - performance.now()) / 1000) * 1000, options);
      const { code } = called.end;
      const mayReboot = state === 'activate' || state === 'rollback';
      if (code === exitCodes.ok || (code === exitCodes.reboot && mayReboot)) return called;
      const isTemporary = code === exitCodes.temporary && performance.now() + waitMs < until;
      if (!isTemporary) throw failureOf(called.end, reasons[state] ?? `${state}_failed`, `handler ${state}`);
      await pause(waitMs, undefined, { signal }).catch(() => {
        if (task.stopping.aborted) throw new Stopped();
        signal.throwIfAborted();
      });
    }
  }

  async function callOrReboot(state: 'activate' | 'rollback'): Promise<void> {
    const { end } = await call(state);
    wantsReboot = end.code === exitCodes.reboot;
    // Written to the journal with the next step.
    if (wantsReboot) task.notes['bootId'] = bootId;
  }

  await makeOwnFolder(work);
  await makeOwnFolder(kept);
  let said = '';
  await call('capabilities', { onOutput: (line) => (said = `${said}${line}\n`.slice(0, maxCapabilitiesBytes)) });
  abilities = readAbilities(said);

  const handler: Handler = {
    async download() {
      await call('download', { signal: task.interrupted });
      await obtainArtifact(settings, release, { path: artifact, mode: ownerOnlyMode }, task);
    },
    async install() {
      await call('install', { signal: task.interrupted });
    },
    activate: () => callOrReboot('activate'),
    needsRestart: () => wantsReboot,
    async restart() {
      const seconds = abilities.timeoutSeconds.reboot;
      const until = performance.now() + seconds * 1000;
      if (abilities.reboot) await call('reboot');
      else await reboot(seconds * 1000);
      await pause(until - performance.now(), undefined, { signal: task.stopping }).catch(() => {
        throw new Stopped();
      });
      throw new StepFailed('restart_failed', `the machine did not shut down within ${seconds} s`);
    },
    hasRestarted: async () => task.notes['bootId'] !== bootId,
    async verify() {
      const { running } = await call('verify');
      if (running === release.sha256) return running;
      const what = running === undefined ? 'printed no running version' : `reports that ${running} runs`;
      throw new StepFailed('verify_failed', `handler verify ${what}`);
    },
    async commit() {
      await call('commit');
    },
    async cleanup() {
      await call('cleanup');
    },
    ...(abilities.rollback && { rollback: () => callOrReboot('rollback') }),
  };

  async function reboot(timeoutMs: number): Promise<void> {
    const [command, ...args] = settings.rebootCommand ?? ['systemctl', 'reboot'];
    const end = await runProgram({ command, args, cwd: work, environment, timeoutMs, source }, task);
    if (end.code !== 0) throw failureOf(end, 'restart_failed', [command, ...args].join(' '));
  }

  return handler;
}

/** Runs independently of any order. Rejects if the executable does not report what runs. */
async function askRunning(
  executable: string,
  name: string,
  settings: ReleaseSettings,
  signal: AbortSignal,
): Promise<string | undefined> {
  const kept = keptFolderOf(settings, name);
  let said: { running: string | undefined } | undefined;
  await makeOwnFolder(kept);
  const end = await runCommand({
    command: executable,
    args: ['running'],
    cwd: kept,
    environment: { ...plainEnvironment(), ...protocolEnvironment(kept), SVC_KIND: name },
    timeoutMs: readAbilities('').timeoutSeconds.running * 1000,
    signal,
    onMessage(line) {
      const message = readMessage(line);
      if (message && 'running' in message) said = message;
      return true;
    },
    onLine: () => undefined,
  });
  if (end.code !== 0 || !said) throw new Error(`${executable} reports no running version: ${end.text}`);
  return said.running;
}
