import type { Api, Config, Deployment, ConfigDeployment, EnrollmentKey, Release, Robot } from '../../api/api.ts';
import { config, fleetNames, label, labelText, releases, robots as demoRobots, siteName } from './content.ts';

/** The objects of the demo that the service has. */
export interface DemoInventory {
  siteId: string | undefined;
  /** By name. */
  fleetIds: ReadonlyMap<string, string>;
  /** By tag. */
  releases: ReadonlyMap<string, Release>;
  config: Config | undefined;
  /** All that have the label, also those that another machine created, and those that a killed run has not labelled. */
  robots: readonly Robot[];
  /** Not revoked. */
  keys: readonly EnrollmentKey[];
  deployments: readonly Deployment[];
  configDeployments: readonly ConfigDeployment[];
}

export const isLabelled = ({ labels }: Pick<Robot, 'labels'>) => labels[label.key] === label.value;

const names = new Set(demoRobots.map(({ name }) => name));

export async function readInventory(api: Api): Promise<DemoInventory> {
  const [sites, releaseList, robots, keys, configs] = await Promise.all([
    api.get('/api/sites', { query: { name: siteName } }),
    api.get('/api/releases', {}),
    api.get('/api/robots', {}),
    api.get('/api/enrollment-keys', {}),
    api.get('/api/configs', { query: { namespace: config.namespace, key: config.key } }),
  ]);
  const siteId = sites.body.items[0]?.id;
  const fleets = siteId === undefined ? [] : (await api.get('/api/fleets', { query: { site_id: siteId } })).body.items;
  const fleetIds = new Map(fleets.filter(({ name }) => fleetNames.includes(name)).map(({ name, id }) => [name, id]));
  const isUnlabelled = ({ name, fleet_id: id }: Robot) => names.has(name) && [...fleetIds.values()].includes(id);
  const tags: readonly string[] = releases.map(({ tag }) => tag);
  const known = new Map(releaseList.body.items.filter(({ tag }) => tags.includes(tag)).map((each) => [each.tag, each]));
  const releaseIds = new Set([...known.values()].map(({ id }) => id));
  const [entry] = configs.body.items;
  const [ofReleases, ofConfigs] = await Promise.all([
    api.get('/api/deployments', {}),
    api.get('/api/configs/deployments', {}),
  ]);
  return {
    siteId,
    fleetIds,
    releases: known,
    config: entry,
    robots: robots.body.items.filter((robot) => isLabelled(robot) || isUnlabelled(robot)),
    keys: keys.body.items.filter((key) => key.label === labelText && key.revoked_at === undefined),
    deployments: ofReleases.body.items.filter((each) => releaseIds.has(each.release_id)),
    configDeployments: ofConfigs.body.items.filter((each) => each.config_id === entry?.id),
  };
}
