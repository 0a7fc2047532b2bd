import type { Knex } from 'knex';
import { conditionService } from '../../conditions/service.ts';
import { html, type Html } from '../page.ts';
import { table } from '../table.ts';
import { activeDeployments } from './active-deployments.ts';
import { bar, healthStatuses, healthWord, numbers } from './health.ts';
import { regionOf, type Region } from './live-page.ts';
import { linkTo } from './query.ts';

type Summary = Awaited<ReturnType<ReturnType<typeof conditionService>['healthSummary']>>;
type Fleet = Summary['fleets'][number];
type Counts = Summary['robots'];

/** Most fleets of the page. */
const maxFleets = 300;
const robots = '/portal/fleet/robots';

/** The region of the overview: numbers of robots, fleets, conditions and active deployments. */
export async function overviewRegion(db: Knex, orgId: string): Promise<Region> {
  const [summary, active] = await Promise.all([
    conditionService(db).healthSummary(orgId),
    activeDeployments(db, orgId),
  ]);
  return regionOf(html`${totals(summary.robots)} ${fleetList(summary)} ${conditionTable(summary)} ${active}`);
}

const healthOf = (counts: Counts) => Object.fromEntries(healthStatuses.map((status) => [status, counts[status]]));

const totals = ({ total, online, maintenance, ...counts }: Counts): Html =>
  html`<h2>Robots</h2>
    <ul class="totals">
      <li>
        <a href="${robots}"><strong>${total}</strong> robots</a>
      </li>
      ${healthStatuses.map(
        (status) =>
          html`<li>
            <a href="${linkTo(robots, { health_status: status })}"
              ><strong>${counts[status]}</strong> ${healthWord(status)}</a
            >
          </li>`,
      )}
      <li><strong>${online}</strong> online</li>
      <li><strong>${maintenance}</strong> in maintenance</li>
    </ul>`;

/** More unhealthy robots first, then more degraded ones, then more unknown ones. */
const worstFirst = ({ counts: one }: Fleet, { counts: other }: Fleet): number =>
  other.unhealthy - one.unhealthy || other.degraded - one.degraded || other.unknown - one.unknown;

function fleetList({ fleets, sites }: Summary): Html {
  if (fleets.length === 0)
    return html`<h2>Fleets</h2>
      <p>No fleets yet. In a terminal: <code>cli fleets create &lt;name&gt; --site &lt;site&gt;</code></p>`;
  const shown = [...fleets].sort(worstFirst).slice(0, maxFleets);
  const more = fleets.length - shown.length;
  const siteNames = new Map(sites.map(({ site_id, site_name }) => [site_id, site_name]));
  return html`<h2>Fleets by site</h2>
    ${[...new Set(shown.map(({ site_id }) => site_id))].map(
      (siteId) =>
        html`<h3><a href="${linkTo(robots, { site_id: siteId })}">${siteNames.get(siteId) ?? siteId}</a></h3>
          <ul class="fleets">
            ${shown.filter(({ site_id }) => site_id === siteId).map(fleetLine)}
          </ul>`,
    )}
    ${more === 0 ? undefined : html`<p>${more} more ${more === 1 ? 'fleet is' : 'fleets are'} not shown.</p>`}`;
}

const fleetLine = ({ fleet_id, fleet_name, counts }: Fleet): Html => {
  const { total, online, maintenance } = counts;
  const more = [`${online} of ${total} online`, ...(maintenance > 0 ? [`${maintenance} in maintenance`] : [])];
  return html`<li id="fleet-${fleet_id}">
    <a href="${linkTo(robots, { fleet_id })}">${fleet_name}</a>
    ${bar(healthOf(counts))} ${total === 0 ? html`<span class="numbers">no robots</span>` : numbers(healthOf(counts))}
    ${total === 0 ? undefined : html`<span class="no">${more.join(', ')}</span>`}
  </li>`;
};

const conditionTable = ({ conditions }: Summary): Html =>
  html`<h2>Conditions</h2>
    ${table({
      title: 'Conditions',
      columns: {
        Condition: ({ name }) => html`<a href="${linkTo(robots, { condition: name })}">${name}</a>`,
        Severity: ({ severity }) => healthWord(severity),
        Robots: ({ robots: count }) => count,
      },
      rows: conditions,
      whenEmpty: 'No robot has a condition.',
    })}`;
