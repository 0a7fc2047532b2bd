import type { Knex } from 'knex';
import { isId, lowestId } from '../kernel/ids.ts';
import { parseSelector } from '../kernel/label-selector.ts';
import { namedBindings } from '../platform/db/named-bindings.ts';
import { checkNames, selectorSql } from '../robots/service.ts';
import { evaluate, explain } from './evaluate.ts';
import { parseExpression } from './expression.ts';
import { factsOf, snapshotOf } from './facts.ts';
import { statusStore, type RobotKey } from './status-store.ts';

export interface Matches {
  items: { robotId: string; robotName: string; message: string }[];
  matches: number;
  evaluated: number;
}

const pageSize = 500;
/** Most robots that are returned; the others are counted. */
const maxItems = 1_000;
/** Evaluates an expression for robots page by page, each with its stored snapshot. */
export async function matchRobots(
  db: Knex,
  orgId: string,
  text: string,
  { siteId, fleetId, label }: { siteId?: string; fleetId?: string; label?: string },
): Promise<Matches> {
  const found: Matches = { items: [], matches: 0, evaluated: 0 };
  const selector = label === undefined ? undefined : parseSelector('query.label', label);
  if (selector) await checkNames(db, orgId, 'query.label', selector);
  if ([siteId, fleetId].some((id) => id !== undefined && !isId(id))) return found;
  const expression = parseExpression(text);
  const { bind, values } = namedBindings({ orgId });
  const isSelected = selector ? selectorSql(selector, { row: 'robots', orgId }, bind) : 'true';
  let after = lowestId;
  for (;;) {
    const { rows } = await db.raw<{ rows: { id: string; name: string }[] }>(
      `select id, name from robots where org_id = :orgId and id > :after and retired_at is null
          and (:siteId::uuid is null or site_id = :siteId) and (:fleetId::uuid is null or fleet_id = :fleetId)
          and ${isSelected}
        order by id limit :pageSize`,
      { ...values, after, siteId: siteId ?? null, fleetId: fleetId ?? null, pageSize },
    );
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    const keys = rows.map(({ id }): RobotKey => ({ orgId, robotId: id }));
    const records = await statusStore(db).read(keys);
    for (const record of records.sort((one, other) => (one.robotId < other.robotId ? -1 : 1))) {
      const { robotId, offlineSeconds: offline, reconnects, agentVersion } = record;
      const facts = factsOf(snapshotOf(record.snapshot), { offline, reconnects, agentVersion });
      found.evaluated += 1;
      if (evaluate(expression, facts) !== true) continue;
      found.matches += 1;
      if (found.items.length === maxItems) continue;
      found.items.push({ robotId, robotName: names.get(robotId) ?? '', message: explain(expression, facts) });
    }
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return found;
    after = last.id;
  }
}
