import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../../api/api.ts';
import { CliError } from '../../command-line/errors.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { removeSimulatedRobots, type SimulationId } from '../../files/simulated-robots.ts';
import { isTerminal } from '../../output/deployment-format.ts';
import { viewerEmail } from './content.ts';
import { readInventory, type DemoInventory } from './inventory.ts';

interface Removed {
  robots: number;
  deployments_cancelled: number;
  keys_revoked: number;
  users: number;
  fleets: number;
  sites: number;
}

/**
 * Removes the robots, the user, the fleets and the site, revokes the keys and cancels the open deployments. A site or
 * fleet that holds something else stays, and so do the releases and the config entry: the history of deployments refers
 * to them.
 */
export async function removeDemo(call: Invocation, api: Api, simulationId: SimulationId): Promise<void> {
  const { environment, flags, io } = call;
  const has = await readInventory(api);
  const openDeployments = has.deployments.filter(isOpen);
  const openConfigDeployments = has.configDeployments.filter(isOpen);
  for (const { id } of openDeployments) await unlessGone(api.post('/api/deployments/{id}/cancel', { path: { id } }));
  for (const { id } of openConfigDeployments)
    await unlessGone(api.post('/api/configs/deployments/{id}/cancel', { path: { id } }));
  for (const { id } of has.keys) await unlessGone(api.post('/api/enrollment-keys/{id}/revoke', { path: { id } }));
  for (const { id } of has.robots) await unlessGone(api.delete('/api/robots/{id}', { path: { id } }));
  const removed: Removed = {
    robots: has.robots.length,
    deployments_cancelled: openDeployments.length + openConfigDeployments.length,
    keys_revoked: has.keys.length,
    users: await removeViewer(api),
    ...(await removePlaces(api, has)),
  };
  await removeSimulatedRobots(environment.stateDirectory, simulationId);
  if (flags.on('json')) io.out.write(`${JSON.stringify({ data: removed })}\n`);
  if (Object.values(removed).every((count) => count === 0)) return io.note('Nothing to remove: this org has no demo.');
  const { robots, deployments_cancelled: deployments, keys_revoked: keys } = removed;
  io.note(`Removed ${robots} robots, cancelled ${deployments} open deployments, revoked ${keys} enrollment keys.`);
  io.note(
    removed.sites > 0
      ? `Deleted the site "demo" and its fleets. The releases and the config entry stay: the deployment history refers to them.`
      : 'The site "demo" is not empty and stays. So do the releases and the config entry.',
  );
}

const isOpen = ({ status }: { status: string }) => !isTerminal(status);

/** Pauses before fleets are tried again: cancelled deployments end within seconds. */
const pausesMs = [500, 1_000, 2_000, 4_000];

/** Deletes the fleets and the site, unless they hold something that is not of the demo. */
async function removePlaces(api: Api, { siteId, fleetIds }: DemoInventory): Promise<{ fleets: number; sites: number }> {
  let left = [...fleetIds.values()];
  for (const pauseMs of [0, ...pausesMs]) {
    if (left.length === 0) break;
    await sleep(pauseMs);
    const kept = await Promise.all(
      left.map(async (id) => ((await isDeleted(api.delete('/api/fleets/{id}', { path: { id } }))) ? [] : [id])),
    );
    left = kept.flat();
  }
  const isSiteDeleted =
    siteId !== undefined && (await isDeleted(api.delete('/api/sites/{id}', { path: { id: siteId } })));
  return { fleets: fleetIds.size - left.length, sites: isSiteDeleted ? 1 : 0 };
}

async function isDeleted(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (error instanceof CliError && error.status === 404) return true;
    if (error instanceof CliError && error.status === 409) return false;
    throw error;
  }
}

async function removeViewer(api: Api): Promise<number> {
  try {
    const { body } = await api.get('/api/users', { query: { email: viewerEmail } });
    for (const { id } of body.items) await unlessGone(api.delete('/api/users/{id}', { path: { id } }));
    return body.items.length;
  } catch (error) {
    // Users are the matter of admins; an operator's demo has none.
    if (error instanceof CliError && error.status === 403) return 0;
    throw error;
  }
}

/** Somebody else may have removed or ended it since the list was read. */
async function unlessGone(request: Promise<unknown>): Promise<void> {
  await request.catch((error: unknown) => {
    if (!(error instanceof CliError && (error.status === 404 || error.status === 409))) throw error;
  });
}
