import { join, resolve as resolvePath } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { LinkStatus } from '../../agent/link.ts';
import { linkWatch } from '../../agent/update/link-watch.ts';
import { homeOf } from '../../agent/update/record.ts';
import { readRunningAgent } from '../../agent/update/running-agent.ts';
import { restartCode } from '../../agent/update/supervisor-ipc.ts';
import { defaultStateDirectory } from './agent-line.ts';
import { caCertificatesOf } from '../../api/ca-certificates.ts';
import { childEnvironment } from '../../command-line/config.ts';
import { proxyFor } from '../../api/connection.ts';
import { CliError } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { checkIdentityReplaceable, replaceRobotToken, type Identity } from '../../files/identity.ts';
import { holdLock, LockFileError, LockHeldError } from '../../files/lock.ts';
import { safeText } from '../../output/safe.ts';
import { agentOf } from '../../command-line/program.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { readCameraSettings } from './agent-cameras.ts';
import { endBy, endOfAgent } from './agent-end.ts';
import { readGateSettings } from './agent-gates.ts';
import { readRosSettings } from './agent-ros.ts';
import { readShellFlags } from './agent-shells.ts';
import { statusReporter } from './agent-status.ts';

/** The agent's name for `ps` and `pkill`; 15 characters at most. */
const processTitle = 'fleet-agent';
/** How long the state folder may take; then the agent connects without it. */
const stateWithinMs = 3_000;
/** Executables from the machine's owner, one per kind of release; they take precedence. */
const rootsHandlers = '/etc/service/handlers.d';
const defaultSpoolMegabytes = 64;
/** Maximum time of an orderly stop: a supervisor such as systemd kills the process after a while. */
const stopWithinMs = 4_500;

/** How a robot connects to its service. */
interface Terms {
  /** Without a trailing slash. */
  backendUrl: string;
  /** Orders need a signature by a key that this robot has pinned. */
  takesSignedOnly: boolean;
}

/**
 * Runs the agent until a signal, or until another agent is in effect; returns the exit code. Throws CliError if the
 * service refuses this robot permanently.
 */
export async function runUntilStopped(call: Invocation, identity: Identity, terms: Terms): Promise<number> {
  const stateDirectory = resolvePath(call.flags.text('state-dir') ?? defaultStateDirectory(call.environment));
  const locking = stateLock(call, stateDirectory);
  const isLate = await Promise.race([locking, pause(stateWithinMs, 'late', { ref: false })]);
  if (isLate === 'late')
    call.io.note(`Warning: ${stateDirectory} does not respond. Up to 1 MiB of logs wait in memory until it does.`);
  try {
    return await runIn({ stateDirectory, locking }, call, identity, terms);
  } finally {
    // Not awaited: it may never settle.
    void locking.then(
      (lock) => lock?.[Symbol.dispose](),
      () => undefined,
    );
  }
}

interface State {
  stateDirectory: string;
  /** Rejects if another agent has the folder; late if the disk hangs. */
  locking: Promise<unknown>;
}

async function runIn(
  { stateDirectory, locking }: State,
  call: Invocation,
  identity: Identity,
  { backendUrl, takesSignedOnly }: Terms,
): Promise<number> {
  // `ps` shows this process's command line, which may contain a key. The parser sets its own name there.
  process.title = processTitle;
  const { environment, flags, version } = call;
  const units = flags.texts('journal-unit');
  const childrens = childEnvironment();
  const shells = await readShellFlags(flags);
  const cameras = await readCameraSettings(call);
  const ros = await readRosSettings(call, childrens);
  const gates = await readGateSettings(call);
  const tell = statusReporter(call, identity, backendUrl);
  const { stopped, stop, forget } = endOfAgent(environment.isSupervised);
  const releases = join(stateDirectory, 'releases');
  const link = linkWatch();
  const [, program = ''] = process.argv;
  const self = await readRunningAgent(homeOf(releases), program, { link, restart: () => stop(restartCode) });
  if (!self.isInstalled) call.io.note(`This is agent ${version}, deployed as a release`);
  let ended: (error: CliError) => void = () => undefined;
  const refused = new Promise<{ error: unknown }>((resolve) => (ended = (error) => resolve({ error })));
  // A bundle of its own (.ci/client-build.mjs).
  const { startAgent } = await import('../../agent/agent.ts');
  const agent = await startAgent(
    {
      backendUrl,
      token: identity.robotToken,
      tokenKeeper: {
        check: () => checkIdentityReplaceable(environment.configDirectory, agentOf(call.command)),
        keep: (present, next) =>
          replaceRobotToken(environment.configDirectory, agentOf(call.command), { present, next }),
      },
      version,
      stateDirectory,
      stateIsOurs: new Promise(
        (resolve) =>
          void locking.then(
            () => resolve(),
            () => undefined,
          ),
      ),
      configDirectory: environment.configDirectory,
      signedFor: takesSignedOnly ? identity : undefined,
      heartbeatSeconds: flags.integer('heartbeat-seconds'),
      healthSeconds: flags.integer('health-seconds'),
      spoolMegabytes: flags.integer('spool-megabytes') ?? defaultSpoolMegabytes,
      logFiles: flags.texts('log-file'),
      commands: flags.texts('exec'),
      journalUnits: flags.on('journal') || units.length > 0 ? units : undefined,
      environment: childrens,
      shells,
      cameras,
      ros,
      gates,
      lanes: {
        config: {
          folder: resolvePath(flags.text('config-dir') ?? join(stateDirectory, 'config')),
          onConfig: flags.text('on-config'),
          environment: childrens,
        },
        releases: {
          artifacts: resolvePath(flags.text('artifacts') ?? join(stateDirectory, 'artifacts')),
          folder: releases,
          handlerFolders: [rootsHandlers, join(environment.configDirectory, 'handlers')],
          environment: childrens,
          configDirectory: environment.configDirectory,
          containerEngine: flags.text('container-engine'),
          settleSeconds: flags.integer('settle-seconds'),
          self,
        },
      },
      socketOptions: { proxy: proxyFor(new URL(backendUrl), environment), authorities: await caCertificatesOf(call) },
      proxyFor: (url) => proxyFor(url, environment),
    },
    {
      status(status) {
        tell(status);
        link.heard(status);
        if (status.kind === 'ended' && status.final) ended(refusal(call, status));
      },
      told: (level, message) => call.io.note(safeText(level === 'warn' ? `Warning: ${message}` : message)),
    },
  );
  const lockedOut = locking.then(() => new Promise<never>(() => undefined));
  const end = await Promise.race([refused, stopped, lockedOut.catch((error: unknown) => ({ error }))]);
  // The process does not wait for what still hangs then, such as a disk.
  const late = setTimeout(() => endBy('SIGTERM'), stopWithinMs).unref();
  await agent.stop();
  if (typeof end === 'object') throw end.error;
  // This process may continue as a supervisor.
  if (end === restartCode) clearTimeout(late);
  forget();
  return end;
}

/** Two agents must not write into one spool. If the folder is not writable, the robot still gets its agent. */
async function stateLock({ io }: Invocation, stateDirectory: string): Promise<Disposable | undefined> {
  try {
    return await holdLock(join(stateDirectory, 'agent.lock'));
  } catch (error) {
    if (error instanceof LockHeldError)
      throw new CliError(`another agent uses the folder ${stateDirectory}, as process ${error.pid}`, {
        code: 'conflict',
        exit: exitCode.conflict,
        hint: 'Use another folder for this agent: --state-dir <folder>',
        cause: error,
      });
    if (!(error instanceof LockFileError)) throw error;
    io.note(`Warning: ${error.message}. A second agent in this folder would not be noticed.`);
    return undefined;
  }
}

function refusal({ command }: Invocation, { reason, code }: LinkStatus & { kind: 'ended' }): CliError {
  const isToken = code === 401 || code === 4401;
  const isProtocol = code === 426 || code === 4426;
  return new CliError(reason, {
    code: isToken ? 'unauthorized' : isProtocol ? 'http_error' : 'forbidden',
    exit: isToken ? exitCode.auth : exitCode.error,
    hint: isToken
      ? `The robot was removed, or its token revoked. Enroll again: ${agentOf(command)} run --fresh --enrollment-key <key>   Create a key with: cli keys new`
      : isProtocol
        ? 'Update this agent to a version that the service supports.'
        : undefined,
  });
}
