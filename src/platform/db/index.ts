import knex, { type Knex } from 'knex';
import pg from 'pg';
import { ShortClient } from './client.ts';
import { migrationSource } from './migrations/index.ts';

/** A database that we must not use; one sentence that an operator can act on. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

const oldestMajor = 15;
/** For a connection, of the pool or alone. */
const usualWaitMs = 3_000;
/** The most that a driver's timer takes: no limit in practice. */
const noLimitMs = 2 ** 31 - 1;
const serviceName = 'fleet-control-service';

/** A postgres:// address, or the parts of one (`host` may be the folder of a Unix socket). */
export type Connection =
  string | { host: string; port: number; ssl: false; user: string; password: string; database: string };

/** Held while migrating, on a connection of its own: it ends with that connection, so a killed server leaves no lock. Any constant will do. */
const migrationLock = 7_201_934_551;

const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number], // counters and sizes, all below 2^53 by contract
  [pg.types.builtins.TIMESTAMPTZ, parseInstant],
]);

/** Postgres writes `2026-11-21 09:00:00.123+00` as the session is in UTC. */
function parseInstant(text: string): Date {
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

/**
 * How we connect, for the pool and for lone connections alike: milliseconds throughout. The server's own limits end what a lost client
 * left behind; the client's query limit is later, so the server's answer comes first. `name`: what follows the name of the service in
 * `application_name`, such as the ID of the replica.
 */
export function connectionSettings(connection: Connection, name?: string): pg.ClientConfig {
  return {
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    application_name: name === undefined ? serviceName : `${serviceName} ${name}`,
    options: '-c TimeZone=UTC',
    connectionTimeoutMillis: usualWaitMs,
    statement_timeout: 10_000,
    query_timeout: 12_000,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: {
      getTypeParser: ((oid: Parameters<typeof pg.types.getTypeParser>[0], format: 'text') =>
        parsers.get(oid) ?? (pg.types.getTypeParser(oid, format) as unknown)) as typeof pg.types.getTypeParser,
    },
  };
}

interface DatabaseOptions {
  /** Connections that are open at once at most; default 10. They are opened as they are needed, and closed after 30 s without use. */
  connections?: number;
  /** Waiting longer than this for a connection is an outage of the database, answered with 503; default 3 s. */
  waitMs?: number;
  /** Follows the name of the service in `application_name`. */
  name?: string | undefined;
}

export function openDatabase(
  connection: Connection,
  { connections = 10, waitMs = usualWaitMs, name }: DatabaseOptions = {},
): Knex {
  return knex({
    client: ShortClient,
    // As a function: knex takes the password out of an object, and `migrate` needs it again.
    // Pipelined: a statement need not wait for the answer to the one before (`transaction.ts`).
    connection: () =>
      ({
        ...connectionSettings(connection, name),
        connectionTimeoutMillis: waitMs,
        pipeline: true,
      }) as Knex.PgConnectionConfig,
    // Each attempt to connect has a limit of its own, and `ShortClient` repeats attempts while callers wait.
    pool: { min: 0, max: connections, createTimeoutMillis: noLimitMs },
    acquireConnectionTimeout: waitMs,
    migrations: { migrationSource, tableName: 'migrations' },
    // knex would write to the console what it also throws; who asked logs it.
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
  });
}

/**
 * Brings the schema to the newest migration, on connections of its own without time limits. Replicas that start together wait for one another.
 * knex's own lock is cleared while ours is held: a server killed between two of knex's steps leaves it set for ever.
 * @throws DatabaseError for a Postgres that is too old, or a schema that a newer version of the service made
 */
export async function migrate(db: Knex): Promise<void> {
  const { config } = db.client as {
    config: Omit<Knex.Config, 'connection'> & { connection: () => Knex.PgConnectionConfig };
  };
  const limits = { statement_timeout: 0, query_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };
  const migrator = knex({
    ...config,
    connection: () => ({ ...config.connection(), ...limits }),
    pool: { min: 0, max: 3 },
  });
  try {
    // The lock lives in this transaction's connection, and so ends with it.
    await migrator.transaction(async (holder) => {
      await holder.raw('select pg_advisory_xact_lock(?)', [migrationLock]);
      await refuseOldPostgres(holder);
      await refuseNewerSchema(holder);
      if (await holder.schema.hasTable('migrations_lock')) await migrator.migrate.forceFreeMigrationsLock();
      await migrator.migrate.latest();
    });
  } finally {
    await migrator.destroy();
  }
}

async function refuseOldPostgres(db: Knex): Promise<void> {
  const { rows } = await db.raw<{ rows: [{ server_version_num: string }] }>('show server_version_num');
  const major = Math.floor(Number(rows[0].server_version_num) / 10_000);
  if (major < oldestMajor)
    throw new DatabaseError(`the database is Postgres ${major}; the service needs ${oldestMajor} or newer`);
}

/** A schema that knows migrations we do not was made by a newer version; writing to it could break what that version relies on. */
async function refuseNewerSchema(db: Knex): Promise<void> {
  if (!(await db.schema.hasTable('migrations'))) return;
  const ours = new Set(
    (await migrationSource.getMigrations([])).map((migration) => migrationSource.getMigrationName(migration)),
  );
  const theirs = await db<{ name: string }>('migrations').pluck('name');
  const unknown = theirs.filter((name: string) => !ours.has(name));
  if (unknown.length > 0)
    throw new DatabaseError(
      `the database was made by a newer version of the service (it has ${unknown.join(', ')}); start that version`,
    );
}
