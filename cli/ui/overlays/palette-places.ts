import { fleetNames } from '../../output/fleet-names.ts';
import { targetNameOf } from '../deployment/deployment.ts';
import { exactly } from '../table/filter-words.ts';
import type { Ui } from '../ui.ts';
import type { Place } from '../views.ts';

/** A place that is found by name. */
interface NamedPlace {
  text: string;
  place: Place;
}

/** Robots, fleets, sites and deployments by name, as far as they are loaded. */
export function namedPlaces(ui: Ui): NamedPlace[] {
  const { data } = ui;
  const robots = data.robots.get().value;
  const [fleets, sites] = [data.fleets.get().value, data.sites.get().value];
  const labels = fleetNames(fleets?.items ?? [], sites?.items ?? []);
  const releases = data.releases.get().value;
  const configs = data.configs.get().value;
  return [
    ...(fleets?.items ?? []).map(({ id, name, site_id: siteId }) => {
      const site = sites?.byId.get(siteId);
      const filter = [exactly('fleet', name), ...(site ? [exactly('site', site.name)] : [])].join(' ');
      return { text: `fleet ${labels.get(id) ?? name}`, place: { screen: 'robots', filter } as const };
    }),
    ...(sites?.items ?? []).map(({ name }) => ({
      text: `site ${name}`,
      place: { screen: 'robots', filter: exactly('site', name) } as const,
    })),
    ...(robots?.items ?? []).map(({ id, name }) => ({
      text: `robot ${name}`,
      place: { screen: 'robot', robotId: id } as const,
    })),
    ...(data.deployments.get().value?.items ?? []).map((deployment) => ({
      text: `deployment ${releases?.byId.get(deployment.release_id)?.tag ?? deployment.id} for ${targetNameOf(ui, { deploymentKind: 'release', deployment })}`,
      place: { screen: 'deployment', deployment: { deploymentKind: 'release', id: deployment.id } } as const,
    })),
    ...(data.configDeployments.get().value?.items ?? []).map((deployment) => ({
      text: `deployment ${configs?.byId.get(deployment.config_id)?.key ?? deployment.id} for ${targetNameOf(ui, { deploymentKind: 'config', deployment })}`,
      place: { screen: 'deployment', deployment: { deploymentKind: 'config', id: deployment.id } } as const,
    })),
  ];
}
