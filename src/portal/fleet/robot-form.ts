import type { Knex } from 'knex';
import { conditionService } from '../../conditions/service.ts';
import { isId } from '../../kernel/ids.ts';
import { fleetService } from '../../fleets/service.ts';
import { siteService } from '../../sites/service.ts';
import { html, type Html } from '../page.ts';
import { healthStatuses } from './health.ts';
import { names } from './names.ts';
import { maxSearch, robotsPath, type RobotQuery } from './robots.ts';
import { rowsOf } from './rows-of.ts';

/** Most sites and fleets to choose from. */
const maxChoices = 500;

interface Choice {
  value: string;
  text: string;
}

/** The filters of the list of robots, as a form that needs no script. */
export async function robotForm(db: Knex, orgId: string, query: RobotQuery): Promise<Html> {
  const page = { limit: maxChoices };
  const find = names(db, orgId);
  const [siteRows, fleetRows, ruleRows, chosenSite, chosenFleet] = await Promise.all([
    siteService(db).list(orgId, {}, page),
    fleetService(db).list(orgId, {}, page),
    conditionService(db).list(orgId, page),
    query.site_id === undefined ? undefined : find.sites([query.site_id].filter(isId)),
    query.fleet_id === undefined ? undefined : find.fleets([query.fleet_id].filter(isId)),
  ]);
  const sites = rowsOf<{ id: string; name: string }>(siteRows);
  const siteNames = new Map(sites.map(({ id, name }) => [id, name]));
  const fleets = rowsOf<{ id: string; name: string; site_id: string }>(fleetRows);
  const rules = rowsOf<{ name: string }>(ruleRows).map(({ name }) => ({ value: name, text: name }));
  return html`<form method="get" action="${robotsPath}" class="filters" aria-label="Filters">
    ${field('q', 'Name contains', query.q, maxSearch)}
    ${choice('health_status', 'Health', query.health_status, healthStatuses.map(same), undefined)}
    ${choice('condition', 'Condition', query.condition, rules, undefined)}
    ${choice('site_id', 'Site', query.site_id, byText(sites.map(({ id, name }) => ({ value: id, text: name }))), chosenSite)}
    ${choice(
      'fleet_id',
      'Fleet',
      query.fleet_id,
      byText(
        fleets.map(({ id, name, site_id }) => ({ value: id, text: `${siteNames.get(site_id) ?? site_id}/${name}` })),
      ),
      chosenFleet,
    )}
    ${field('label', 'Selector', query.label, 2_500, 'tier=canary,floor=2')}
    <div class="actions">
      <button type="submit">Filter</button>
      <a href="${robotsPath}">Clear filters</a>
    </div>
  </form>`;
}

const same = (text: string): Choice => ({ value: text, text });

const byText = (choices: readonly Choice[]): Choice[] =>
  [...choices].sort(({ text: one }, { text: other }) => one.localeCompare(other));

const field = (name: string, label: string, value: string | undefined, maxLength: number, example = '') =>
  html`<p>
    <label for="filter-${name}">${label}</label>
    <input id="filter-${name}" name="${name}" value="${value}" maxlength="${maxLength}" placeholder="${example}" />
  </p>`;

/** A chosen value that is not among the choices is added: another page of them, or an object that was deleted. */
function choice(
  name: string,
  label: string,
  value: string | undefined,
  choices: readonly Choice[],
  known: ReadonlyMap<string, string> | undefined,
): Html {
  const isMissing = value !== undefined && !choices.some((each) => each.value === value);
  const added = isMissing ? [{ value, text: known?.get(value) ?? `${value.slice(0, 64)} (not found)` }] : [];
  return html`<p>
    <label for="filter-${name}">${label}</label>
    <select id="filter-${name}" name="${name}">
      <option value="">any</option>
      ${[...added, ...choices].map((each) =>
        each.value === value
          ? html`<option value="${each.value}" selected>${each.text}</option>`
          : html`<option value="${each.value}">${each.text}</option>`,
      )}
    </select>
  </p>`;
}
