import type { Knex } from 'knex';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { definedOnly } from '../platform/db/columns.ts';
import { insertRow } from '../platform/db/insert.ts';
import type { JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import { type ConditionRule, type RuleSettings, type Scope, type Severity } from './model.ts';

interface Row {
  org_id: string;
  id: string;
  name: string;
  scope_kind: Scope['kind'];
  site_id: string | null;
  fleet_id: string | null;
  selector: string | null;
  expression: string;
  for_seconds: number;
  clear: string | null;
  severity: Severity;
  enabled: boolean;
  builtin: boolean;
  created_at: Date;
  updated_at: Date;
}

const columns = [
  'id',
  'name',
  'scope_kind',
  'site_id',
  'fleet_id',
  'selector',
  'expression',
  'for_seconds',
  'clear',
  'severity',
  'enabled',
  'builtin',
  'created_at',
  'updated_at',
] as const satisfies (keyof Row)[];

const listColumns = [
  'id',
  'name',
  'expression',
  'clear',
  'severity',
  'enabled',
  'builtin',
  'created_at',
  'updated_at',
] as const satisfies (keyof Row)[];

/** The fields of a rule that are stored in another form. */
const listComputed = {
  scope: `jsonb_strip_nulls(jsonb_build_object('kind', scope_kind, 'id', coalesce(site_id, fleet_id), 'selector', selector))`,
  for: `case when for_seconds = 0 then '0s' when for_seconds % 86400 = 0 then for_seconds / 86400 || 'd'
          when for_seconds % 3600 = 0 then for_seconds / 3600 || 'h' when for_seconds % 60 = 0 then for_seconds / 60 || 'm'
          else for_seconds || 's' end`,
};
type ListColumn = (typeof listColumns)[number] | keyof typeof listComputed;

export function ruleStore(db: Knex) {
  return {
    async create(orgId: string, settings: RuleSettings): Promise<ConditionRule> {
      const row = { org_id: orgId, id: newId(), ...toColumns(settings) };
      const { rows } = await insertRow<Row>(db, 'condition_rules', row, { returning: columns });
      return fromRow(rows[0] as Row); // an insert without conflict returns its row
    },

    list: (orgId: string, page: Page): Promise<JsonRows<ListColumn>> =>
      readPage(db, { table: 'condition_rules', columns: listColumns, computed: listComputed }, { org_id: orgId }, page),

    /** With `lock`, locks the row until the transaction ends. */
    async find(orgId: string, id: string, { lock = false } = {}): Promise<ConditionRule | undefined> {
      if (!isId(id)) return undefined;
      const query = db<Row>('condition_rules').select(columns).where({ org_id: orgId, id });
      const row = await (lock ? query.forUpdate() : query).first();
      return row && fromRow(row);
    },

    async count(orgId: string): Promise<number> {
      const [row] = await db('condition_rules').where({ org_id: orgId }).count<{ count: number }[]>();
      return row?.count ?? 0;
    },

    /** The enabled rules of several orgs. */
    async enabled(orgIds: readonly string[]): Promise<(ConditionRule & { orgId: string })[]> {
      const rows = await db<Row>('condition_rules')
        .select([...columns, 'org_id'])
        .where({ enabled: true })
        .whereIn('org_id', orgIds);
      return rows.map((row) => ({ ...fromRow(row), orgId: row.org_id }));
    },

    /** Enabled rules of approved orgs whose expressions contain this word. */
    async mentioning(word: string): Promise<{ orgId: string; expression: string }[]> {
      const { rows } = await db.raw<{ rows: { org_id: string; expression: string }[] }>(
        `select r.org_id, r.expression from condition_rules r join orgs o on o.id = r.org_id
          where r.enabled and o.status = 'approved' and position(? in r.expression) > 0`,
        [word],
      );
      return rows.map(({ org_id: orgId, expression }) => ({ orgId, expression }));
    },

    async update(orgId: string, id: string, settings: RuleSettings): Promise<ConditionRule | undefined> {
      const [row] = await db<Row>('condition_rules')
        .where({ org_id: orgId, id })
        .update({ ...definedOnly(toColumns(settings)), updated_at: db.fn.now() as unknown as Date })
        .returning(columns);
      return row && fromRow(row);
    },

    async delete(orgId: string, id: string): Promise<void> {
      await db<Row>('condition_rules').where({ org_id: orgId, id }).delete();
    },
  };
}

const toColumns = ({ name, scope, expression, forSeconds, clear, severity, enabled }: RuleSettings) => ({
  name,
  scope_kind: scope.kind,
  site_id: scope.kind === 'site' ? scope.id : null,
  fleet_id: scope.kind === 'fleet' ? scope.id : null,
  selector: scope.kind === 'label' ? scope.selector : null,
  expression,
  for_seconds: forSeconds,
  clear: clear ?? null,
  severity,
  enabled,
});

const fromRow = (row: Pick<Row, (typeof columns)[number]>): ConditionRule => ({
  id: row.id,
  name: row.name,
  scope: scopeOf(row),
  expression: row.expression,
  forSeconds: row.for_seconds,
  clear: row.clear ?? undefined,
  severity: row.severity,
  enabled: row.enabled,
  builtin: row.builtin,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** The database allows no row without the column that its kind needs. */
function scopeOf({ scope_kind: kind, site_id, fleet_id, selector }: Pick<Row, (typeof columns)[number]>): Scope {
  if (kind === 'site' && site_id !== null) return { kind, id: site_id };
  if (kind === 'fleet' && fleet_id !== null) return { kind, id: fleet_id };
  if (kind === 'label' && selector !== null) return { kind, selector };
  return { kind: 'org' };
}
