import type { Api } from '../../api/api.ts';
import { CliError } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import {
  readSimulatedRobots,
  saveSimulatedRobots,
  type SimulatedRobot,
  type SimulationId,
} from '../../files/simulated-robots.ts';
import type { SocketOptions } from '../../transport/link-socket.ts';
import { enrolledRobots } from '../agent/simulation-run.ts';
import { labelText, robots } from './content.ts';
import type { DemoInventory } from './inventory.ts';
import type { DemoPlaces } from './setup.ts';

/** An enrollment key of the demo is revoked right after use; this ends it if the process is killed in between. */
const keyHours = 1;

interface DemoRobots {
  simulationId: SimulationId;
  socketOptions: SocketOptions & { userAgent: string };
  places: DemoPlaces;
  has: DemoInventory;
  signal: AbortSignal;
}

/** The robots of the demo by index. The missing ones are enrolled, each fleet with a key of its own. */
export async function demoRobots(
  call: Invocation,
  api: Api,
  { simulationId, socketOptions, places, has, signal }: DemoRobots,
): Promise<ReadonlyMap<number, SimulatedRobot>> {
  const { stateDirectory } = call.environment;
  // Of a run that was killed.
  for (const { id } of has.keys) await api.post('/api/enrollment-keys/{id}/revoke', { path: { id } });
  await forgetRemoved(stateDirectory, simulationId, has);
  const known = await readSimulatedRobots(stateDirectory, simulationId);
  await replaceForeign(api, known, has);
  const { baseUrl: backendUrl, baseUrlFrom } = api.connection;
  const all = new Map(known);
  for (const [fleet, fleetId] of places.fleetIds) {
    const indexes = robots.flatMap((robot, index) => (robot.fleet === fleet ? [index] : []));
    const missing = indexes.filter((index) => !known.has(index));
    if (missing.length === 0 || signal.aborted) continue;
    const { body } = await api.post('/api/enrollment-keys', {
      body: {
        site_id: places.siteId,
        fleet_id: fleetId,
        label: labelText,
        max_uses: missing.length,
        expires_in_hours: keyHours,
      },
    });
    const { id, value: enrollmentKey } = body.data;
    const request = { backendUrl, enrollmentKey, ...socketOptions };
    const nameOf = (index: number) => robots[index]?.name ?? '';
    const wanted = { indexes: missing, nameOf, baseUrlFrom, signal };
    try {
      for (const [index, robot] of await enrolledRobots(call, simulationId, request, wanted)) all.set(index, robot);
    } finally {
      await api.post('/api/enrollment-keys/{id}/revoke', { path: { id } });
    }
  }
  return all;
}

/** Robots that were removed at the service are enrolled again. */
async function forgetRemoved(stateDirectory: string, simulationId: SimulationId, has: DemoInventory): Promise<void> {
  const known = await readSimulatedRobots(stateDirectory, simulationId);
  const there = new Set(has.robots.map(({ id }) => id));
  const removed = [...known].filter(([, { robotId }]) => !there.has(robotId));
  if (removed.length === 0) return;
  await saveSimulatedRobots(stateDirectory, simulationId, new Map(removed.map(([index]) => [index, undefined])));
}

/** Robots of a demo that another machine created: this one has no tokens for them, and two sets would have one name. */
async function replaceForeign(
  api: Api,
  known: ReadonlyMap<number, SimulatedRobot>,
  { robots: there }: DemoInventory,
): Promise<void> {
  const own = new Set([...known.values()].map(({ robotId }) => robotId));
  const foreign = there.filter(({ id }) => !own.has(id));
  if (foreign.some(({ online }) => online)) {
    throw new CliError('the demo of this org runs on another machine or for another user', {
      code: 'conflict',
      exit: exitCode.conflict,
      hint: 'Stop it there with Ctrl-C, then repeat this command. See its robots with: cli robots list',
    });
  }
  for (const { id } of foreign) await api.delete('/api/robots/{id}', { path: { id } });
}
