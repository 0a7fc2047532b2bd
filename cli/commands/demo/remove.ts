import type { Api } from '../../api/api.ts';
import { CliError } from '../../command-line/errors.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { removeSimulatedRobots, type SimulationId } from '../../files/simulated-robots.ts';
import { isTerminal } from '../../output/deployment-format.ts';
import { viewerEmail } from './content.ts';
import { readInventory } from './inventory.ts';

interface Removed {
  robots: number;
  deployments_cancelled: number;
  keys_revoked: number;
  users: number;
}

/**
 * Removes the robots and the user, revokes the keys and cancels the open deployments. The site, the fleets, the releases
 * and the config entry stay: the history of deployments refers to them, and the contract has no operation that deletes
 * them.
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
  };
  await removeSimulatedRobots(environment.stateDirectory, simulationId);
  if (flags.on('json')) io.out.write(`${JSON.stringify({ data: removed })}\n`);
  if (Object.values(removed).every((count) => count === 0)) return io.note('Nothing to remove: this org has no demo.');
  const { robots, deployments_cancelled: deployments, keys_revoked: keys } = removed;
  io.note(`Removed ${robots} robots, cancelled ${deployments} open deployments, revoked ${keys} enrollment keys.`);
  io.note('The site "demo" stays, with its fleets, releases and config entry: the deployment history refers to them.');
}

const isOpen = ({ status }: { status: string }) => !isTerminal(status);

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
