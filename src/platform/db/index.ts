import knex, { type Knex } from 'knex';
import pg from 'pg';
import { advisoryLocks } from './advisory-locks.ts';
import { FastPathClient } from './client.ts';
import { hostsOf } from './hosts.ts';
import { applyMigrations, listApplied, unknownMigrations } from './migrations/apply.ts';
import { migrationSource } from './migrations/index.ts';
import { PrimaryFinder } from './primary.ts';
import { noLimits, setForRole, startupOptions } from './session.ts';
import type { StatementTrace } from './traced.ts';

/** A database that must not be used; the message tells the operator what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

const oldestMajor = 15;
/** Timeout for a connection, from the pool or separate. */
const usualWaitMs = 3_000;
/** Timeout for a result; more than the server's own limit of a statement. */
const usualResultMs = 12_000;
/** The maximum of a Node timer: no limit in practice. */
const noLimitMs = 2 ** 31 - 1;
const serviceName = 'fleet-control-service';

/** A postgres:// address, of several servers too, or the parts of one (`host` may be the folder of a Unix socket). */
export type Connection =
  string | { host: string; port: number; ssl: false; user: string; password: string; database: string };

const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number], // counters and sizes, all below 2^53 by contract
  [pg.types.builtins.TIMESTAMPTZ, parseInstant],
]);

/**
 * Postgres writes `2026-11-21 09:00:00.123+00`, as the session is in UTC.
 * @throws Error in a session of another time zone, whose times would be wrong by hours
 */
function parseInstant(text: string): Date {
  if (text.endsWith('infinity')) return new Date(NaN);
  if (!text.endsWith('+00')) throw new Error('the session is not in UTC');
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

/** By address: the connections of a process learn of a failover from one another. */
const finders = new Map<string, PrimaryFinder>();

/** What connections to several servers need besides pg's settings. */
interface Recheck {
  /** Looks for another primary, when this one is silent. */
  recheck?: () => void;
}

function addressOf(url: string): pg.ClientConfig & Recheck {
  const [first, ...others] = hostsOf(url) ?? [];
  if (!first || others.length === 0) return { connectionString: url };
  const finder = finders.get(url) ?? new PrimaryFinder([first, ...others]);
  finders.set(url, finder);
  return { connectionString: first.url, stream: finder.stream, recheck: finder.recheck };
}

/**
 * Settings of every connection, from the pool or separate. The client's limit of a query is higher than the server's, so
 * that the server's error arrives first. `name`: suffix after the service name in `application_name`, such as the ID of
 * the replica. `options`: empty behind a pooler, where the role has the settings of the session.
 */
export function connectionSettings(
  connection: Connection,
  name?: string,
  options = startupOptions(),
): pg.ClientConfig & Recheck {
  return {
    ...(typeof connection === 'string' ? addressOf(connection) : connection),
    application_name: name === undefined ? serviceName : `${serviceName} ${name}`,
    options,
    connectionTimeoutMillis: usualWaitMs,
    query_timeout: usualResultMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: {
      getTypeParser: ((oid: Parameters<typeof pg.types.getTypeParser>[0], format: 'text') =>
        parsers.get(oid) ?? (pg.types.getTypeParser(oid, format) as unknown)) as typeof pg.types.getTypeParser,
    },
  };
}

interface DatabaseOptions {
  /** Maximum open connections; default 10. They are opened on demand, and closed after 30 s without use. */
  connections?: number;
  /** Timeout for a connection. Beyond it the database counts as unavailable, and the response is 503; default 3 s. */
  waitMs?: number;
  /** Timeout for a result; default 12 s. */
  resultMs?: number;
  /** Suffix after the service name in `application_name`. */
  name?: string | undefined;
  /** Whether the address is that of a pooler in transaction mode; default false. */
  pooler?: boolean;
  /** Called for each statement; by default none is traced. */
  trace?: StatementTrace | undefined;
}

export function openDatabase(
  connection: Connection,
  {
    connections = 10,
    waitMs = usualWaitMs,
    resultMs = usualResultMs,
    name,
    pooler = false,
    trace,
  }: DatabaseOptions = {},
): Knex {
  return knex({
    client: FastPathClient,
    // A function: knex removes the password from an object, and `migrate` needs it again. Pipelined: a statement need
    // not wait for the result of the one before (`transaction.ts`).
    connection: () =>
      ({
        ...connectionSettings(connection, name, pooler ? '' : startupOptions()),
        connectionTimeoutMillis: waitMs,
        query_timeout: 0, // in favour of the next
        overdueAfterMs: resultMs,
        pipeline: true,
        trace,
      }) as Knex.PgConnectionConfig,
    // Each connection attempt has its own limit, and `FastPathClient` repeats attempts while callers wait.
    pool: { min: 0, max: connections, createTimeoutMillis: noLimitMs },
    acquireConnectionTimeout: waitMs,
    migrations: { migrationSource, tableName: 'migrations' },
    // knex would also write to the console what it throws; the caller logs it.
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
  });
}

/** A short wait: the caller then asks the primary. */
export const openStandby = (url: string, connections: number, name: string, trace?: StatementTrace): Knex =>
  openDatabase(url, { connections, name, trace, waitMs: 1_000, resultMs: 5_000 });

/**
 * Migrates the schema to the newest version, on separate connections without time limits, and never through a pooler.
 * Replicas that start together wait for one another. `forPooler`: also gives the role the settings that sessions need, as a pooler sends none.
 * @throws DatabaseError for a Postgres that is too old, or a schema from a newer version of the service
 */
export async function migrate(db: Knex, { forPooler = false } = {}): Promise<void> {
  const { config } = db.client as {
    config: Omit<Knex.Config, 'connection'> & { connection: () => Knex.PgConnectionConfig };
  };
  const unlimited = { options: startupOptions(noLimits), overdueAfterMs: 0 };
  const migrator = knex({
    ...config,
    connection: () => ({ ...config.connection(), ...unlimited }),
    pool: { min: 0, max: 3 },
  });
  try {
    // The lock belongs to this transaction's connection, and ends with it: a killed server leaves none.
    await migrator.transaction(async (holder) => {
      await holder.raw('select pg_advisory_xact_lock(?)', [advisoryLocks.migrations]);
      const { rows } = await holder.raw<{ rows: [{ server_version_num: string }] }>('show server_version_num');
      refuseOldPostgres(rows[0].server_version_num);
      await refuseNewerSchema(holder);
      if (forPooler) await setForRole(holder);
      // A migration that waits for the locks of a backup would hold up everything behind it. Without one, nothing waits.
      await applyMigrations(migrator, undefined, () =>
        holder.raw('select pg_advisory_xact_lock(?)', [advisoryLocks.backups]),
      );
    });
  } finally {
    await migrator.destroy();
  }
}

/** @throws DatabaseError for a `server_version_num` that is too old */
export function refuseOldPostgres(version: string | undefined): void {
  const major = Math.floor(Number(version) / 10_000);
  if (major < oldestMajor)
    throw new DatabaseError(`the database is Postgres ${major}; the service needs ${oldestMajor} or newer`);
}

/** A schema with unknown migrations is from a newer version; writing to it could break what that version relies on. */
async function refuseNewerSchema(db: Knex): Promise<void> {
  const unknown = unknownMigrations(await listApplied(db));
  if (unknown.length > 0)
    throw new DatabaseError(
      `the database was created by a newer version of the service (it has ${unknown.join(', ')}); start that version`,
    );
}
