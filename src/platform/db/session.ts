import type { Knex } from 'knex';

/** Settings of every session, by their names in Postgres; times in ms. The limits end the work of a lost client. */
export const sessionSettings = {
  TimeZone: 'UTC',
  // Indexes are in memory or on a solid-state disk; with the default of 4 the planner reads whole tables instead.
  random_page_cost: '1.1',
  // Before tables have statistics, short statements seem long enough for it: each would be compiled for 0.1 to 0.7 s.
  jit: 'off',
  statement_timeout: '10000',
  lock_timeout: '2000',
  idle_in_transaction_session_timeout: '15000',
};

type SessionSettings = typeof sessionSettings;

/** Written out, as the role of the connection may have limits of its own. */
export const noLimits: Partial<SessionSettings> = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

/** The settings as a startup parameter of Postgres, which PgBouncer refuses. */
export const startupOptions = (changed: Partial<SessionSettings> = {}): string =>
  Object.entries({ ...sessionSettings, ...changed })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** The settings that the role of this connection does not have yet in this database. */
export async function missingForRole(db: Knex): Promise<[name: string, value: string][]> {
  const { rows } = await db.raw<{ rows: { pair: string }[] }>(
    `select unnest(s.setconfig) as pair from pg_db_role_setting s
     join pg_database d on d.oid = s.setdatabase join pg_roles r on r.oid = s.setrole
     where d.datname = current_database() and r.rolname = current_user`,
  );
  const pairs = new Set(rows.map(({ pair }) => pair));
  return Object.entries(sessionSettings).filter(([name, value]) => !pairs.has(`${name}=${value}`));
}

/** New sessions of this role in this database have the settings from now on, also those that a pooler opens. */
export async function setForRole(db: Knex): Promise<void> {
  const missing = await missingForRole(db);
  const { rows } = await db.raw<{ rows: [{ name: string }] }>('select current_database() as name');
  for (const [name, value] of missing)
    await db.raw(`alter role current_user in database ?? set ${name} = '${value}'`, [rows[0].name]);
}
