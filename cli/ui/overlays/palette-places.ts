import type { Ui } from '../ui.ts';
import type { Place } from '../views.ts';

/** A place that is found by name. */
interface NamedPlace {
  text: string;
  place: Place;
}

/** Robots, fleets, sites and deployments by name, as far as they are loaded. */
export function namedPlaces({ data }: Ui): NamedPlace[] {
  const robots = data.robots.get().value;
  const [fleets, sites] = [data.fleets.get().value, data.sites.get().value];
  const releases = data.releases.get().value;
  const configs = data.configs.get().value;
  const targetOf = (kind: string, id: string) =>
    (kind === 'fleet' ? fleets?.byId.get(id)?.name : robots?.byId.get(id)?.name) ?? id;
  return [
    ...(fleets?.items ?? []).map(({ name }) => ({
      text: `fleet ${name}`,
      place: { screen: 'robots', filter: `fleet:${worded(name)}` } as const,
    })),
    ...(sites?.items ?? []).map(({ name }) => ({
      text: `site ${name}`,
      place: { screen: 'robots', filter: `site:${worded(name)}` } as const,
    })),
    ...(robots?.items ?? []).map(({ id, name }) => ({
      text: `robot ${name}`,
      place: { screen: 'robot', robotId: id } as const,
    })),
    ...(data.deployments.get().value?.items ?? []).map(({ id, release_id, target_kind, target_id }) => ({
      text: `deployment ${releases?.byId.get(release_id)?.tag ?? id} for ${targetOf(target_kind, target_id)}`,
      place: { screen: 'deployment', deployment: { deploymentKind: 'release', id } } as const,
    })),
    ...(data.configDeployments.get().value?.items ?? []).map(({ id, config_id, target_kind, target_id }) => ({
      text: `deployment ${configs?.byId.get(config_id)?.key ?? id} for ${targetOf(target_kind, target_id)}`,
      place: { screen: 'deployment', deployment: { deploymentKind: 'config', id } } as const,
    })),
  ];
}

/** As one word of a filter. */
const worded = (name: string) => (/\s/.test(name) ? `"${name}"` : name);
