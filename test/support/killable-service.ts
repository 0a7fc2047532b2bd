import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { freePort } from './free-port.ts';
import { startKillablePostgres } from './killable-postgres.ts';
import { startServer, type ServerProcess } from './server-process.ts';

/** The built service with its own Postgres, each of which can be killed at any moment. */
export interface KillableService extends AsyncDisposable {
  url: URL;
  token: string; // of an admin of its org
  /** Direct access, without the service. */
  db: Knex;
  killServer(): Promise<void>;
  /** Starts the service again at the same address. */
  startServer(): Promise<void>;
  /** Kills the postmaster; its children end with it. */
  killPostgres(): Promise<void>;
  /** Resolves when the database responds again. */
  startPostgres(): Promise<void>;
  /** Output of the current server. */
  said(): string;
}

export async function startKillableService(): Promise<KillableService> {
  const postgres = await startKillablePostgres();
  const adminToken = randomBytes(24).toString('hex');
  const env = {
    DATABASE_URL: postgres.url,
    PORT: String(await freePort()),
    RATE_LIMIT: 'off',
    SERVICE_ADMIN_TOKEN: adminToken,
  };
  let server: ServerProcess = await startServer(env);
  const { token } = await approvedOrg(server.url, adminToken);
  return {
    url: new URL(server.url),
    token,
    db: postgres.db,
    async killServer() {
      await server.end('SIGKILL');
    },
    async startServer() {
      server = await startServer(env);
    },
    killPostgres: () => postgres.kill(),
    startPostgres: () => postgres.start(),
    said: () => server.stdout(),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

/** An org that the admin of the service created and approved, with its token. */
export async function approvedOrg(url: string, adminToken: string): Promise<{ id: string; token: string }> {
  const post = async (path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return ((await answer.json()) as { data: { id: string; token: string } }).data;
  };
  const { id } = await post('/api/admin/orgs', { name: 'Acme' });
  const { token } = await post(`/api/admin/orgs/${id}/approve`);
  return { id, token };
}
