import { join } from 'node:path';
import type { LinkStatus } from '../agent/link.ts';
import { authoritiesOf } from '../authorities.ts';
import { childEnvironment } from '../config.ts';
import { proxyFor } from '../connection.ts';
import { CliError } from '../errors.ts';
import { exitCode } from '../exit-codes.ts';
import type { Identity } from '../files/identity.ts';
import { holdLock, LockFileError, LockHeldError } from '../files/lock.ts';
import { endOnInterrupt } from '../interrupt.ts';
import { agentOf } from '../program.ts';
import type { Invocation } from '../spec.ts';
import { statusTeller } from './agent-status.ts';

/** What `ps` and `pkill` know the agent by; 15 characters at most. */
const processTitle = 'fleet-agent';
const defaultSpoolMegabytes = 64;
/** An end in order takes no longer; whoever stops it, as systemd does, waits and then kills. */
const stopWithinMs = 4_500;

/** Runs the agent until a signal; gives the exit code. Throws CliError when the service refuses this robot for good. */
export async function runUntilStopped(call: Invocation, identity: Identity, backendUrl: string): Promise<number> {
  const stateDirectory = call.flags.text('state-dir') ?? join(call.environment.stateDirectory, 'agent');
  const lock = await stateLock(call, stateDirectory);
  try {
    return await runIn(stateDirectory, call, identity, backendUrl);
  } finally {
    lock?.[Symbol.dispose]();
  }
}

async function runIn(
  stateDirectory: string,
  call: Invocation,
  identity: Identity,
  backendUrl: string,
): Promise<number> {
  // The command line of this process is what `ps` shows of it, and may hold a key; the parser puts its own name there.
  process.title = processTitle;
  const { environment, flags, version } = call;
  const units = flags.texts('journal-unit');
  const tell = statusTeller(call, identity, backendUrl);
  const stopped = nextSignal();
  let ended: (status: LinkStatus & { kind: 'ended' }) => void = () => undefined;
  const ending = new Promise<LinkStatus & { kind: 'ended' }>((resolve) => (ended = resolve));
  // A file of its own (.ci/client-build.mjs).
  const { startAgent } = await import('../agent/agent.ts');
  const agent = await startAgent(
    {
      backendUrl,
      token: identity.robotToken,
      version,
      stateDirectory,
      configDirectory: environment.configDirectory,
      heartbeatSeconds: flags.integer('heartbeat-seconds'),
      spoolMegabytes: flags.integer('spool-megabytes') ?? defaultSpoolMegabytes,
      logFiles: flags.texts('log-file'),
      commands: flags.texts('exec'),
      journalUnits: flags.on('journal') || units.length > 0 ? units : undefined,
      environment: childEnvironment(),
      socketOptions: { proxy: proxyFor(new URL(backendUrl), environment), authorities: await authoritiesOf(call) },
    },
    (status) => {
      tell(status);
      if (status.kind === 'ended' && status.final) ended(status);
    },
  );
  const end = await Promise.race([ending, stopped]);
  // What still hangs then, as a disk that does not answer, is not waited for.
  const refused = end && refusal(call, end);
  setTimeout(() => process.exit(refused?.exit ?? exitCode.ok), stopWithinMs).unref();
  await agent.stop();
  if (refused) throw refused;
  return exitCode.ok;
}

/** The first signal asks for an end in order; the second one does not wait for it. */
function nextSignal(): Promise<undefined> {
  process.off('SIGINT', endOnInterrupt);
  return new Promise((resolve) => {
    let isAsked = false;
    const onSignal = () => {
      if (isAsked) process.exit(exitCode.interrupted);
      isAsked = true;
      resolve(undefined);
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
}

/** Two agents must not write into one spool. A folder where nothing can be written is no reason to leave the robot without its agent. */
async function stateLock({ io }: Invocation, stateDirectory: string): Promise<Disposable | undefined> {
  try {
    return await holdLock(join(stateDirectory, 'agent.lock'));
  } catch (error) {
    if (error instanceof LockHeldError)
      throw new CliError(`another agent keeps its logs in ${stateDirectory}, as process ${error.pid}`, {
        code: 'conflict',
        exit: exitCode.conflict,
        hint: 'Give this one a folder of its own: --state-dir <folder>',
        cause: error,
      });
    if (!(error instanceof LockFileError)) throw error;
    io.note(`Warning: ${error.message}. Logs are kept in memory only, until it can be written.`);
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
      ? `The robot was removed, or its token revoked. Enroll again: ${agentOf(command)} run --fresh --enrollment-key <key>   An operator makes one: cli keys new`
      : isProtocol
        ? 'Update this agent.'
        : undefined,
  });
}
