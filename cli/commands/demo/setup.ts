import { createHash, randomUUID } from 'node:crypto';
import type { Api } from '../../api/api.ts';
import { CliError } from '../../command-line/errors.ts';
import { config, deployments, fleetNames, label, robots, releases, siteName, viewerEmail } from './content.ts';
import { isLabelled, type DemoInventory } from './inventory.ts';

/** Ids of what robots and deployments refer to. */
export interface DemoPlaces {
  siteId: string;
  fleetIds: ReadonlyMap<string, string>;
}

/** Creates what is missing of the site, the fleets, the releases, the config entry and the user. */
export async function createMissing(api: Api, has: DemoInventory): Promise<DemoPlaces> {
  const siteId = has.siteId ?? (await api.post('/api/sites', { body: { name: siteName } })).body.data.id;
  const fleetIds = new Map(has.fleetIds);
  for (const name of fleetNames) {
    if (fleetIds.has(name)) continue;
    const { body } = await api.post('/api/fleets', { body: { name, site_id: siteId } });
    fleetIds.set(name, body.data.id);
  }
  for (const { tag, ...release } of releases) {
    if (has.releases.has(tag)) continue;
    await api.post('/api/releases', { body: { tag, ...release, artifact_sha256: sha256(tag) } });
  }
  if (!has.config) await api.post('/api/configs', { body: config });
  await createViewer(api);
  return { siteId, fleetIds };
}

/** Gives the screen of users a row. Users are the matter of admins; an operator's demo has none. */
async function createViewer(api: Api): Promise<void> {
  try {
    const { body } = await api.get('/api/users', { query: { email: viewerEmail } });
    if (body.items.length === 0)
      await api.post('/api/users', { body: { email: viewerEmail, name: 'Demo viewer', role: 'viewer' } });
  } catch (error) {
    if (!(error instanceof CliError && error.status === 403)) throw error;
  }
}

/** Labels the robots by their id; robots that have the label keep theirs. */
export async function labelRobots(api: Api, idOf: ReadonlyMap<number, string>, has: DemoInventory): Promise<void> {
  const labelled = new Set(has.robots.filter(isLabelled).map(({ id }) => id));
  for (const [index, id] of idOf) {
    const problem = robots[index]?.problem;
    const labels = { [label.key]: label.value, ...(problem !== undefined && { problem }) };
    if (!labelled.has(id)) await api.patch('/api/robots/{id}', { path: { id }, body: { labels } });
  }
}

/**
 * Creates the deployments that do not exist yet, whatever became of those that do. Without robots at the start the demo
 * is new, or new again: then those that exist are of its earlier robots.
 */
export async function deployMissing(api: Api, { fleetIds }: DemoPlaces, has: DemoInventory): Promise<void> {
  const isNew = has.robots.length === 0;
  for (const { what, fleet, inHours } of deployments) {
    const target = { target_kind: 'fleet', target_id: fleetIds.get(fleet) ?? '' } as const;
    const isThere = (each: { target_id: string }) => !isNew && each.target_id === target.target_id;
    const start =
      inHours === undefined ? {} : { scheduled_at: new Date(Date.now() + inHours * 3_600_000).toISOString() };
    const idempotencyKey = randomUUID();
    if ('config' in what) {
      if (!has.config || has.configDeployments.some(isThere)) continue;
      const body = { config_id: has.config.id, ...target, ...start };
      await api.post('/api/configs/deployments', { idempotencyKey, body });
    } else {
      const release = has.releases.get(what.release);
      if (!release || has.deployments.some((each) => each.release_id === release.id && isThere(each))) continue;
      await api.post('/api/deployments', { idempotencyKey, body: { release_id: release.id, ...target, ...start } });
    }
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
