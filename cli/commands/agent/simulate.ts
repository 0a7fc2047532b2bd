import { readFile } from 'node:fs/promises';
import { openFilesLimit } from '../../agent/simulate/open-files.ts';
import { profiles, type Profile } from '../../agent/simulate/profile.ts';
import { ProfileError, readProfile } from '../../agent/simulate/read-profile.ts';
import type { Simulation } from '../../agent/simulate/simulation.ts';
import { caCertificatesOf } from '../../api/ca-certificates.ts';
import { proxyFor } from '../../api/connection.ts';
import { CliError, usage } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { holdLock, LockHeldError } from '../../files/lock.ts';
import { simulationLockPath, saveSimulatedRobots, type SimulationId } from '../../files/simulated-robots.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { backendOf, enrollmentKeyOf } from './agent.ts';
import { statusLine, totalsOf, totalsText } from './simulate-report.ts';
import { endingOf, enrolledRobots, oncePerText, writeStatus, type Ending } from './simulation-run.ts';

const usualRampPerSecond = 500;
/** File descriptors that the process needs besides its links. */
const otherFiles = 64;

/** Enrolls missing robots and simulates all of them until a signal or the end of the duration. */
export async function simulate(call: Invocation): Promise<number> {
  const { flags } = call;
  const profile = await behaviourOf(call);
  const count = flags.integer('count') ?? 1;
  const seed = seedOf(call);
  const enrollmentKey = enrollmentKeyOf(call, 'no enrollment key was given', 'simulate');
  // Here --profile selects the robots' behaviour.
  const { baseUrl, baseUrlFrom } = await backendOf({ ...call, flags: flags.without('profile') }, undefined);
  await checkOpenFiles(count);
  const simulationId: SimulationId = { backendUrl: baseUrl, seed };
  const lock = await lockOf(call, simulationId);
  try {
    return await play(call, { simulationId, enrollmentKey, count, profile, baseUrlFrom });
  } finally {
    lock[Symbol.dispose]();
  }
}

interface Play {
  simulationId: SimulationId;
  enrollmentKey: string;
  count: number;
  profile: Profile;
  baseUrlFrom: string;
}

async function play(
  call: Invocation,
  { simulationId, enrollmentKey, count, profile, baseUrlFrom }: Play,
): Promise<number> {
  const { environment, flags } = call;
  const { backendUrl: baseUrl, seed } = simulationId;
  const ending = endingOf();
  const socketOptions = {
    proxy: proxyFor(new URL(baseUrl), environment),
    authorities: await caCertificatesOf(call),
    userAgent: `cli/${call.version}`,
  };
  // Written first: an unreachable address delays everything else.
  call.io.note(`Simulating ${count} ${count === 1 ? 'robot' : 'robots'} of seed ${seed} at ${baseUrl}`);
  const robots = await enrolledRobots(
    call,
    simulationId,
    { backendUrl: baseUrl, enrollmentKey, ...socketOptions },
    {
      indexes: Array.from({ length: count }, (_, index) => index),
      nameOf: (index) => `sim-${seed}-${String(index + 1).padStart(5, '0')}`,
      baseUrlFrom,
      signal: ending.signal,
    },
  );
  // A bundle of its own (.ci/client-build.mjs).
  const { startSimulation } = await import('../../agent/simulate/simulation.ts');
  const startedAt = performance.now();
  const simulation = startSimulation({
    backendUrl: baseUrl,
    socketOptions,
    profile,
    seed,
    agentVersion: `fleet-agent-simulated/${call.version}`,
    robots,
    rampPerSecond: flags.integer('ramp-per-second') ?? usualRampPerSecond,
  });
  const durationSeconds = flags.integer('duration-seconds');
  const limit = durationSeconds === undefined ? undefined : setTimeout(ending.end, durationSeconds * 1000);
  await watch(call, simulation, ending);
  clearTimeout(limit);
  const seconds = (performance.now() - startedAt) / 1000;
  const refused = simulation.refused();
  await simulation.stop();
  // The service no longer accepts these robots; the next run enrolls new ones.
  if (refused.length > 0)
    await saveSimulatedRobots(
      environment.stateDirectory,
      simulationId,
      new Map(refused.map((index) => [index, undefined])),
    );
  const totals = totalsOf(simulation.counts, { robots: robots.size, refused: refused.length, seconds });
  if (flags.on('json')) call.io.out.write(`${JSON.stringify({ data: totals })}\n`);
  else call.io.note(totalsText(totals));
  return refused.length > 0 && refused.length === robots.size ? exitCode.auth : exitCode.ok;
}

/** Writes one line per second until the end; rewritten in place on a terminal. */
async function watch({ io }: Invocation, { counts }: Simulation, ending: Ending): Promise<void> {
  const nextLine = statusLine(counts);
  const noteFault = oncePerText(io);
  const write = () => {
    for (const reason of counts.reasons.keys()) noteFault(`Links: ${reason}`);
    writeStatus(io, nextLine());
  };
  const lines = setInterval(() => {
    write();
    const { refused, ...others } = counts.robots;
    if (refused > 0 && Object.values(others).every((number) => number === 0)) ending.end();
  }, 1000);
  await ending.reached;
  clearInterval(lines);
  if (io.err.tty) io.err.write('\n');
}

async function behaviourOf({ flags }: Invocation): Promise<Profile> {
  const name = flags.text('profile') ?? 'idle';
  const profile = Object.hasOwn(profiles, name) ? profiles[name as keyof typeof profiles] : await fromFile(name);
  const heartbeatSeconds = flags.integer('heartbeat-seconds');
  return heartbeatSeconds === undefined ? profile : { ...profile, heartbeat_seconds: heartbeatSeconds };
}

async function fromFile(path: string): Promise<Profile> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw usage(
      `--profile: "${path}" is not ${Object.keys(profiles).join(', ')} or a readable file (${(error as Error).message})`,
      'To select the profile of the service, set SERVICE_PROFILE',
    );
  });
  try {
    return readProfile(text);
  } catch (error) {
    throw error instanceof ProfileError ? usage(`--profile: ${path} ${error.message}`) : error;
  }
}

function seedOf({ flags }: Invocation): string {
  const seed = flags.text('seed') ?? '1';
  if (/^[\w.-]{1,32}$/.test(seed)) return seed;
  throw usage('--seed must be 1 to 32 letters, digits and ._-');
}

async function checkOpenFiles(count: number): Promise<void> {
  const limit = await openFilesLimit();
  if (limit === undefined || limit >= count + otherFiles) return;
  throw new CliError(`${count} robots need one socket each, but this process may open only ${limit} files`, {
    code: 'bad_request',
    hint: `Run: ulimit -n ${count + otherFiles}   Or simulate fewer robots`,
  });
}

async function lockOf({ environment }: Invocation, simulationId: SimulationId): Promise<Disposable> {
  return holdLock(simulationLockPath(environment.stateDirectory, simulationId)).catch((error: unknown) => {
    if (!(error instanceof LockHeldError)) throw error;
    throw new CliError(`these robots are already simulated, by process ${error.pid}`, {
      code: 'conflict',
      exit: exitCode.conflict,
      hint: 'Simulate other robots with another --seed',
      cause: error,
    });
  });
}
