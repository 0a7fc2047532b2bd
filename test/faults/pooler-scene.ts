import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../src/platform/db/index.ts';
import { approvedOrg } from '../support/killable-service.ts';
import { startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts';
import { startPlainPostgres } from '../support/plain-postgres.ts';
import { startServer, type ServerProcess } from '../support/server-process.ts';
import { together } from '../support/together.ts';

/** Of the role that owns the database; it is no superuser. */
export const owner = 'fleet_owner';
export const adminToken = 'x'.repeat(32);

/** A Postgres whose time zone is not UTC, PgBouncer in front of it, and their addresses. */
export interface PoolerScene extends AsyncDisposable {
  pooler: PgBouncer;
  direct: string;
  /** An address of the same Postgres for another role or database. */
  at(role: string, database?: string): string;
  /** As a superuser. */
  sql(statement: string): Promise<void>;
  /** The built service; `DATABASE_URL` is the pooler. */
  serve(env?: Record<string, string>): Promise<ServerProcess>;
}

export const startPoolerScene = (changes: Record<string, string> = {}): Promise<PoolerScene> =>
  together(async (own) => {
    const postgres = own(await startPlainPostgres());
    const { port } = postgres.connection;
    const sql = async (statement: string) => {
      const db = openDatabase(postgres.url);
      await db.raw(statement);
      await db.destroy();
    };
    await sql(`create role ${owner} login`);
    await sql(`create database fleet owner ${owner} encoding 'UTF8' template template0`);
    await sql(`alter database fleet set timezone = 'Europe/Berlin'`);
    const pooler = own(await startPgBouncer({ port, database: 'fleet', user: owner }, changes));
    const at = (role: string, database = 'fleet') => `postgres://${role}@127.0.0.1:${port}/${database}`;
    const direct = at(owner);
    return {
      pooler,
      direct,
      at,
      sql,
      serve: (env = {}) =>
        startServer({
          DATABASE_URL: pooler.url,
          DATABASE_DIRECT_URL: direct,
          SERVICE_ADMIN_TOKEN: adminToken,
          RATE_LIMIT: 'off',
          ...env,
        }),
    };
  });

/** Calls as an admin of a new org. */
export async function orgAt({ url }: { url: string }) {
  const { token } = await approvedOrg(url, adminToken);
  const call = async (method: string, path: string, body?: object, asToken = token) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${asToken}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const { data = {}, items = [] } = (await response.json()) as Reply;
    return { status: response.status, data, items };
  };
  const create = async (path: string, body: object, asToken?: string) =>
    (await call('POST', path, body, asToken)).data as Record<string, string>;
  return { token, call, create };
}

interface Reply {
  data?: Record<string, unknown>;
  items?: Record<string, unknown>[];
}

/** An enrolled robot of a new fleet. */
export async function robotOf({ create }: Awaited<ReturnType<typeof orgAt>>) {
  const site = await create('/api/sites', { name: 'Osaka' });
  const fleet = await create('/api/fleets', { name: 'pickers', site_id: site['id'] });
  const key = await create('/api/enrollment-keys', { site_id: site['id'], fleet_id: fleet['id'] });
  const { robot_id: id = '', robot_token: token = '' } = await create('/agent/enroll', { name: 'amr-1' }, key['value']);
  return { id, token };
}
