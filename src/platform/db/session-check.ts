import type { Knex } from 'knex';
import { DatabaseError, openDatabase, type Connection } from './index.ts';
import { missingForRole, sessionSettings } from './session.ts';

/** Server connections of a pooler are older than the settings of their role: this may pass. */
export class StaleSessionError extends DatabaseError {}

/**
 * Verifies what statements rely on, over a new connection: PgBouncer keeps the time zone that a client saw first.
 * @throws DatabaseError
 */
export async function checkSession(connection: Connection, { pooler }: { pooler: boolean }): Promise<void> {
  const db = openDatabase(connection, { connections: 1, pooler });
  try {
    await (pooler ? checkPooled(db) : checkTimeZone(db));
  } finally {
    await db.destroy();
  }
}

/** Two names of one zone; the second is the usual one in the configuration of Debian's Postgres. */
const utcNames = ['UTC', 'Etc/UTC'];

async function checkTimeZone(db: Knex): Promise<void> {
  const { TimeZone: zone = '' } = await settingsOf(db);
  if (!utcNames.includes(zone))
    throw new DatabaseError(
      `sessions at DATABASE_URL are in the time zone ${zone} and not in UTC, as a pooler drops what the service sets: set DATABASE_DIRECT_URL to the address of Postgres itself`,
    );
}

async function checkPooled(db: Knex): Promise<void> {
  if ((await missingForRole(db)).length > 0)
    throw new DatabaseError(
      `the pooler at DATABASE_URL connects to another database or as another role than DATABASE_DIRECT_URL: use the same database and role in both`,
    );
  const settings = await settingsOf(db);
  const wrong = Object.entries(sessionSettings).filter(([name, value]) => settings[name] !== value);
  if (wrong.length > 0)
    throw new StaleSessionError(
      `connections of the pooler at DATABASE_URL are older than the settings of their role (${wrong
        .map(([name, value]) => `${name} is ${settings[name]} and not ${value}`)
        .join(', ')}): run RECONNECT in the console of PgBouncer`,
    );
}

async function settingsOf(db: Knex): Promise<Record<string, string>> {
  const { rows } = await db.raw<{ rows: { name: string; setting: string }[] }>(
    'select name, setting from pg_settings where name = any(?)',
    [Object.keys(sessionSettings)],
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}
