import type { Knex } from 'knex';
import { robotService, type HealthStatus, type RobotFilter } from '../../robots/service.ts';
import { badRequest } from '../../kernel/errors.ts';
import { parseSelector } from '../../kernel/label-selector.ts';
import { html, type Html } from '../page.ts';
import { table } from '../table.ts';
import { conditionList, healthStatuses, healthWord } from './health.ts';
import { instant } from './instant.ts';
import { names } from './names.ts';
import { regionOf, type Region } from './live-page.ts';
import { oneOf, pageOf } from './query.ts';
import { rowsOf } from './rows-of.ts';

/** Names of the query; all but the cursor are filters of `GET /api/robots`. */
export const robotQuery = ['q', 'health_status', 'condition', 'site_id', 'fleet_id', 'label', 'cursor'] as const;
export type RobotQuery = Partial<Record<(typeof robotQuery)[number], string>>;

export const robotsPath = '/portal/fleet/robots';

/** As in the contract. */
export const maxSearch = 128;

/** The fields of a robot that the list shows, as in the contract. */
interface RobotRow {
  id: string;
  name: string;
  site_id: string;
  fleet_id: string;
  labels: Record<string, string>;
  online: boolean;
  last_seen_at?: string;
  reported: { releases: Record<string, { tag: string; drift?: unknown }> };
  health_status: string;
  conditions: { rule_id: string; name: string; severity: string; since: string; message: string }[];
  maintenance?: { until: string; reason: string };
}

/** @throws bad_request for a value that the API refuses too */
function readFilter({ q, health_status, condition, site_id, fleet_id, label }: RobotQuery): RobotFilter {
  if (q !== undefined && q.length > maxSearch)
    throw badRequest(`query parameter "q" must have at most ${maxSearch} characters`);
  return {
    nameContains: q,
    healthStatus: oneOf<HealthStatus>('health_status', health_status, healthStatuses),
    condition,
    siteId: site_id,
    fleetId: fleet_id,
    selector: label === undefined ? undefined : parseSelector('query.label', label),
  };
}

/** The region of the list of robots: one page of it. @throws bad_request for an invalid filter or cursor */
export async function robotsRegion(db: Knex, orgId: string, query: RobotQuery): Promise<Region> {
  const filter = readFilter(query);
  const { objects, links } = await pageOf(robotsPath, query, (page) => robotService(db).list(orgId, filter, page));
  const rows = rowsOf<RobotRow>({ objects });
  const find = names(db, orgId);
  const [sites, fleets] = await Promise.all([
    find.sites(rows.map(({ site_id }) => site_id)),
    find.fleets(rows.map(({ fleet_id }) => fleet_id)),
  ]);
  const columns = {
    Robot: ({ id, name }: RobotRow) => html`<a href="${robotsPath}/${id}">${name}</a>`,
    Fleet: ({ fleet_id, site_id }: RobotRow) =>
      html`${fleets.get(fleet_id) ?? fleet_id}<br /><span class="no">${sites.get(site_id) ?? site_id}</span>`,
    Health: ({ health_status, conditions, maintenance }: RobotRow) =>
      html`${healthWord(health_status)} ${maintenance ? html`<span class="no">in maintenance</span>` : undefined}
      ${conditionList(conditions)}`,
    Connection: presence,
    Running: ({ reported }: RobotRow) => running(reported),
  };
  const isFiltered = Object.keys(query).length > 0;
  return regionOf(
    html`${table({
      title: 'Robots',
      columns,
      rows,
      whenEmpty: isFiltered ? 'No robot matches these filters.' : 'No robots yet.',
    })}
    ${links}`,
  );
}

/** Without the instant of the last frame while online: it changes each time. */
export const presence = ({ online, last_seen_at }: { online: boolean; last_seen_at?: string | undefined }): Html => {
  if (online) return html`online`;
  return last_seen_at === undefined ? html`never seen` : html`offline, last seen ${instant(last_seen_at)}`;
};

/** What a robot runs, with the kinds if there are several. */
export function running({ releases }: RobotRow['reported']): Html {
  const kinds = Object.entries(releases);
  if (kinds.length === 0) return html`–`;
  return html`${kinds.map(
    ([kind, { tag, drift }]) =>
      html`<span class="running"
        >${tag} ${kinds.length === 1 ? undefined : html`<span class="no">(${kind})</span>`}
        ${drift === undefined ? undefined : html`<strong>no longer runs</strong>`}</span
      >`,
  )}`;
}
