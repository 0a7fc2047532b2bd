import type { Simulation } from '../../agent/simulate/simulation.ts';
import { wrap } from '../../output/text-width.ts';
import { apiOf, type Api } from '../../api/api.ts';
import { caCertificatesOf } from '../../api/ca-certificates.ts';
import { isLoopback, proxyFor } from '../../api/connection.ts';
import { CliError, usage } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { holdLock, LockHeldError } from '../../files/lock.ts';
import { simulationLockPath, type SimulatedRobot, type SimulationId } from '../../files/simulated-robots.ts';
import type { SocketOptions } from '../../transport/link-socket.ts';
import { endingOf, writeStatus } from '../agent/simulation-run.ts';
import { releases, robots, type DemoRobot } from './content.ts';
import { readInventory } from './inventory.ts';
import { removeDemo } from './remove.ts';
import { demoRobots } from './robots.ts';
import { createMissing, deployMissing, labelRobots } from './setup.ts';

/** Robots are given this time to connect before the first deployments, which then show progress at once. */
const connectWithinMs = 10_000;
const statusEveryMs = 1_000;

/** Creates the demo or removes it; then simulates its robots until a signal. */
export async function demo(call: Invocation): Promise<void> {
  const { environment, flags } = call;
  const api = await apiOf(call);
  const { baseUrl: backendUrl } = api.connection;
  const { hostname } = new URL(backendUrl);
  if (!isLoopback(hostname) && !flags.on('yes'))
    throw usage(`${backendUrl} is not on this machine, and the demo would change it`, 'Add --yes if you want that');
  const { org } = (await api.get('/api/whoami', {})).body.data;
  const simulationId: SimulationId = { backendUrl, seed: `demo ${org.id}` };
  const lock = await holdLock(simulationLockPath(environment.stateDirectory, simulationId)).catch(isRunning);
  try {
    if (flags.on('remove')) await removeDemo(call, api, simulationId);
    else await run(call, api, simulationId);
  } finally {
    lock[Symbol.dispose]();
  }
}

function isRunning(error: unknown): never {
  if (!(error instanceof LockHeldError)) throw error;
  throw new CliError(`the demo is already running, as process ${error.pid}`, {
    code: 'conflict',
    exit: exitCode.conflict,
    hint: 'Stop it there with Ctrl-C, then repeat this command',
    cause: error,
  });
}

async function run(call: Invocation, api: Api, simulationId: SimulationId): Promise<void> {
  const { flags, io } = call;
  const ending = endingOf();
  const places = await createMissing(api, await readInventory(api));
  const proxy = proxyFor(new URL(simulationId.backendUrl), call.environment);
  const socketOptions = { proxy, authorities: await caCertificatesOf(call), userAgent: `cli/${call.version}` };
  const has = await readInventory(api);
  const enrolled = await demoRobots(call, api, { simulationId, socketOptions, places, has, signal: ending.signal });
  await labelRobots(api, new Map([...enrolled].map(([index, { robotId }]) => [index, robotId])), has);

  const simulations = await startAll(call, simulationId, socketOptions, enrolled);
  try {
    await connected(simulations, ending.signal);
    await deployMissing(api, places, has);
    if (flags.on('json')) io.out.write(`${JSON.stringify({ data: summaryOf(places, enrolled) })}\n`);
    else writeIntroduction(call, enrolled.size);
    const status = setInterval(() => writeStatus(io, statusOf(simulations)), io.err.tty ? statusEveryMs : 60_000);
    await ending.reached;
    clearInterval(status);
  } finally {
    await Promise.all(simulations.map((simulation) => simulation.stop()));
  }
  if (io.err.tty) io.err.write('\n');
  io.note('The robots are offline. Start them again with: cli demo   Remove the demo with: cli demo --remove');
}

/** One simulation for each robot, as each behaves in its own way. */
async function startAll(
  { version }: Invocation,
  { backendUrl, seed }: SimulationId,
  socketOptions: SocketOptions,
  enrolled: ReadonlyMap<number, SimulatedRobot>,
): Promise<Simulation[]> {
  // A bundle of its own (.ci/client-build.mjs).
  const { startSimulation } = await import('../../agent/simulate/simulation.ts');
  return [...enrolled].flatMap(([index, robot]) => {
    const profile = robots[index]?.profile;
    if (!profile) return [];
    const agentVersion = `fleet-agent-simulated/${version}`;
    const settings = { backendUrl, socketOptions, profile, seed, agentVersion, rampPerSecond: 100 };
    return [startSimulation({ ...settings, robots: new Map([[index, robot]]) })];
  });
}

const upOf = (simulations: readonly Simulation[]) => simulations.filter(({ counts }) => counts.robots.up > 0).length;

async function connected(simulations: readonly Simulation[], signal: AbortSignal): Promise<void> {
  const untilMs = performance.now() + connectWithinMs;
  const areThere = () => simulations.every(({ counts }) => counts.connects > 0 || counts.robots.refused > 0);
  while (!areThere() && performance.now() < untilMs && !signal.aborted)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

const statusOf = (simulations: readonly Simulation[]) =>
  `${upOf(simulations)} of ${robots.length} robots online. Ctrl-C stops the demo.`;

const summaryOf = (
  { siteId, fleetIds }: { siteId: string; fleetIds: ReadonlyMap<string, string> },
  enrolled: ReadonlyMap<number, SimulatedRobot>,
) => ({
  site_id: siteId,
  fleets: Object.fromEntries(fleetIds),
  releases: releases.map(({ tag }) => tag),
  robots: [...enrolled].map(([index, { robotId }]) => ({ id: robotId, name: robots[index]?.name })),
});

const problemsOf = (all: readonly DemoRobot[]) => [
  ...new Set(all.flatMap(({ problem }) => (problem === undefined ? [] : [problem]))),
];

function writeIntroduction({ io }: Invocation, count: number): void {
  io.note(`The demo is ready: ${count} robots in 3 fleets at the site "demo", labelled demo=true.`);
  const problems = `Problems to find, as the label "problem" of a robot: ${problemsOf(robots).join(', ')}.`;
  for (const line of io.err.tty ? wrap(problems, io.err.columns) : [problems]) io.note(line);
  io.note('In another terminal:');
  for (const line of [
    'cli ui                                         see everything on one screen',
    'cli robots list -o wide                        list the robots and their labels',
    'cli fleets logs demo-forklifts --level error   read the errors of a fleet',
    'cli deployments list                           see what is deployed where',
    'cli robots camera demo-picker-01               watch a camera',
  ])
    io.note(`  ${line}`);
}
