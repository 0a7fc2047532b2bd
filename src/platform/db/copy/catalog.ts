import pg from 'pg';
import { BackupError } from './manifest.ts';
import { isRefused, poolerRefusal, reasonOf } from '../faults.ts';
import { connectionSettings, type Connection } from '../index.ts';
import { migrationTables } from '../migrations/apply.ts';
import { noLimits, startupOptions } from '../session.ts';

export const quoted = (name: string): string => `public.${pg.escapeIdentifier(name)}`;

export const columnList = (names: readonly string[]): string =>
  names.map((name) => pg.escapeIdentifier(name)).join(', ');

export interface CatalogTable {
  name: string;
  columns: string[];
  partition_of: string | null;
  bounds: string | null;
}

/** A connection without time limits for statements, and with the same value formats on every server. */
export async function connectForCopy(connection: Connection): Promise<pg.Client> {
  const options = startupOptions({ ...noLimits, lock_timeout: '30000' });
  const client = new pg.Client({ ...connectionSettings(connection, 'copy', options), query_timeout: 0 });
  client.on('error', () => undefined); // the pending query reports the lost connection
  await client.connect().catch((error: unknown) => {
    const reason = error instanceof Error ? reasonOf(error) : String(error);
    const what = isRefused(error) ? 'refuses us' : 'does not respond';
    const message = poolerRefusal(error, 'DATABASE_URL') ?? `the database ${what}: ${reason}`;
    throw new BackupError(message, { cause: error });
  });
  // Without a search path the catalog qualifies every name.
  await client.query(
    `set search_path = ''; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set client_encoding = 'UTF8'`,
  );
  return client;
}

/**
 * The ordinary tables and partitions of schema public, with the columns that store data (generated ones are derived).
 * Excludes knex's own tables, those of extensions, two that are only right beside the transactions that wrote them, and the
 * uploads that are not recorded: in the copy, their files would be removed, also of those that this database records later.
 */
export async function listTables(client: pg.Client): Promise<CatalogTable[]> {
  const { rows } = await client.query<CatalogTable>(
    `
    select c.relname as name, parent.relname as partition_of, pg_get_expr(c.relpartbound, c.oid) as bounds,
      (select coalesce(json_agg(a.attname order by a.attnum), '[]') from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c
    left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
    left join pg_class parent on parent.oid = i.inhparent
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1)
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname`,
    [[...migrationTables, 'artifact_uploads', 'hints', 'log_robot_changes']],
  );
  return rows;
}

/** The sequences in use, and their last numbers as text: they are 64 bits wide. */
export async function listSequences(client: pg.Client): Promise<{ name: string; last: string }[]> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `
    select sequencename as name, last_value::text as last from pg_sequences
    where schemaname = 'public' and last_value is not null and sequencename <> all($1)
    order by sequencename`,
    [migrationTables.flatMap((name) => [`${name}_id_seq`, `${name}_index_seq`])],
  );
  return rows;
}

/** With qualified names and SQL; those of partitions are created and dropped with their parent's. */
export async function listForeignKeys(
  client: pg.Client,
): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`);
  return rows;
}

/** In the order of their application; empty for a database that was never migrated. */
export async function listAppliedMigrations(client: pg.Client): Promise<string[]> {
  const names: string[] = [];
  for (const table of ['migrations', 'compatible_migrations'].map(quoted)) {
    const { rows: found } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      table,
    ]);
    if (!found[0]?.there) continue;
    const { rows } = await client.query<{ name: string }>(`select name from ${table} order by id`);
    names.push(...rows.map(({ name }) => name));
  }
  return names;
}
