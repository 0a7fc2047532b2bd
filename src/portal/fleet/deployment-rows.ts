import type { Knex } from 'knex';
import type { DeploymentKind, DeploymentViews } from '../../deployments/api/service.ts';
import type { Value } from '../../platform/http/html.ts';
import { html, type Html } from '../page.ts';
import { table } from '../table.ts';
import { bar, numbers } from './health.ts';
import { instant } from './instant.ts';
import { names } from './names.ts';
import { linkTo } from './query.ts';

export type Deployment = DeploymentViews['release'] | DeploymentViews['config'];

export const kindOf = (deployment: Deployment): DeploymentKind => ('release_id' in deployment ? 'release' : 'config');

/** The parts of the bar of a deployment, from the worst to the best. */
export function progressOf({ counts }: Deployment): Record<string, number> {
  const { failed, rolled_back, cancelled, waiting, applied, total } = counts;
  const working = total - failed - rolled_back - cancelled - waiting - applied;
  return { failed, rolled_back, cancelled, applied, working, waiting };
}

/** What deployments bring and where, by the IDs in them. */
export async function describe(db: Knex, orgId: string, deployments: readonly Deployment[]) {
  const find = names(db, orgId);
  const targets = (kind: string) =>
    deployments.filter(({ target_kind }) => target_kind === kind).map(({ target_id }) => target_id);
  const [releases, fleets, robots] = await Promise.all([
    find.releases(deployments.map((each) => ('release_id' in each ? each.release_id : undefined))),
    find.fleets(targets('fleet')),
    find.robots(targets('robot')),
  ]);
  return {
    what: (each: Deployment): string =>
      'release_id' in each
        ? (releases.get(each.release_id) ?? each.release_id)
        : `${each.namespace}/${each.key}, revision ${each.revision}`,
    target({ target_kind: kind, target_id: id, target_selector: selector }: Deployment): Html {
      if (selector !== undefined)
        return html`selector <a href="${linkTo('/portal/fleet/robots', { label: selector })}">${selector}</a>`;
      if (kind === 'fleet')
        return html`fleet <a href="${linkTo('/portal/fleet/robots', { fleet_id: id })}">${fleets.get(id) ?? id}</a>`;
      return html`robot <a href="/portal/fleet/robots/${id}">${robots.get(id) ?? id}</a>`;
    },
  };
}

interface DeploymentTable {
  title: string;
  rows: readonly Deployment[];
  whenEmpty?: string;
  /** Columns after the first one, by heading. Default: none. */
  also?: Readonly<Record<string, (row: Deployment) => Value>>;
}

/** A table of deployments, as given. */
export async function deploymentTable(
  db: Knex,
  orgId: string,
  { title, rows, whenEmpty = '', also = {} }: DeploymentTable,
): Promise<Html> {
  const { what, target } = await describe(db, orgId, rows);
  const columns = {
    Deployment: (each: Deployment) =>
      html`<a href="/portal/fleet/deployments/${kindOf(each)}/${each.id}">${what(each)}</a>`,
    ...also,
    To: target,
    State: ({ status }: Deployment) => status.replace('_', ' '),
    Robots: (each: Deployment) =>
      each.counts.total === 0 ? 'none yet' : html`${bar(progressOf(each))} ${numbers(progressOf(each))}`,
    Created: ({ created_at }: Deployment) => instant(created_at),
  };
  return table({ title, columns, rows, whenEmpty });
}

/** From the newest. */
export const newestOf = (rows: readonly Deployment[], most: number): Deployment[] =>
  [...rows]
    .sort((one, other) => other.created_at.localeCompare(one.created_at) || other.id.localeCompare(one.id))
    .slice(0, most);
