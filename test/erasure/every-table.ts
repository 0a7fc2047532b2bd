import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { logUpkeep } from '../../src/logs/service.ts';
import { metricUpkeep } from '../../src/robot-metrics/service.ts';

interface Column {
  table: string;
  name: string;
  type: string;
  required: boolean; // has neither a default nor null
}

/** Tables with a fixed number of rows, or without any data of an org. */
const others = ['orgs', 'erasures'];

export async function columnsOf(db: Knex): Promise<Column[]> {
  const { rows } = await db.raw<{ rows: Column[] }>(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, a.attnotnull and not a.atthasdef as required
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname, a.attnum`);
  return rows;
}

const texts: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  boolean: 'false',
  jsonb: `'{}'`,
  bytea: `decode('00', 'hex')`,
  date: 'current_date',
  'timestamp with time zone': 'now()',
  xid8: `'1'::xid8`,
};
const valueOf = (type: string): string =>
  type.endsWith('[]') ? `'{}'` : (texts[type] ?? (/int|double|real|numeric/.test(type) ? '1' : `'${randomUUID()}'`));

const ended: Record<string, string> = { status: `'applied'`, ended_at: 'now()' };

/** Adds a row to each table with data of orgs: of this org and robot. The database loses its checks. */
export async function fillTables(db: Knex, { orgId, robotId }: { orgId: string; robotId: string }): Promise<string[]> {
  await logUpkeep(db, 14).run(); // partitions of today
  await metricUpkeep(db).run();
  const columns = await columnsOf(db);
  const tables = [...new Set(columns.map(({ table }) => table))].filter(
    (table) => !others.includes(table) && columns.some((each) => each.table === table && each.name === 'org_id'),
  );
  await db.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica'); // no foreign keys and triggers
    const { rows: checks } = await trx.raw<{ rows: { sql: string }[] }>(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as sql from pg_constraint
        where contype = 'c' and coninhcount = 0 and connamespace = 'public'::regnamespace and conrelid <> 0`,
    );
    for (const { sql } of checks) await trx.raw(sql);
    for (const table of tables) {
      const own: Record<string, string> = { org_id: `'${orgId}'`, robot_id: `'${robotId}'` };
      const wanted = columns.filter((each) => each.table === table);
      const values = wanted.flatMap(({ name, type, required }): [string, string][] => {
        const value =
          own[name] ??
          (name === 'status' && type !== 'text' ? undefined : ended[name]) ??
          (required ? valueOf(type) : undefined);
        return value === undefined ? [] : [[name, value]];
      });
      await trx.raw(
        `insert into "${table}" (${values.map(([name]) => `"${name}"`).join(', ')}) values (${values.map(([, value]) => value).join(', ')}) on conflict do nothing`,
      );
    }
  });
  return tables;
}

/** Tables with a row that has this text in any column. */
export async function tablesNaming(db: Knex, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of new Set((await columnsOf(db)).map((each) => each.table))) {
    const { rows } = await db.raw<{ rows: unknown[] }>(
      `select 1 from "${table}" t where position(? in t::text) > 0 limit 1`,
      [text],
    );
    if (rows.length > 0) found.push(table);
  }
  return found;
}

/** The rows of each table that are of this org. */
export async function rowsOfOrg(db: Knex, orgId: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { table, name } of await columnsOf(db)) {
    if (name !== 'org_id' && !(table === 'orgs' && name === 'id')) continue;
    const { rows } = await db.raw<{ rows: { text: string }[] }>(
      `select t::text as text from "${table}" t where "${name}" = ? order by 1`,
      [orgId],
    );
    found[table] = rows.map(({ text }) => text);
  }
  return found;
}
