import { randomBytes, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { openDatabase } from '../../src/platform/db/index.ts';
import { freePort } from '../support/free-port.ts';
import { startPlainPostgres } from '../support/plain-postgres.ts';
import { startProxy, type Proxy, type ProxyKind } from '../support/proxies.ts';
import { clusterOf } from '../support/replicas.ts';
import { startServer, type ServerProcess } from '../support/server-process.ts';
import { tempDir } from '../support/temp-dir.ts';
import { together } from '../support/together.ts';

/** Replicas of the built service with their own Postgres, behind a load balancer. */
export interface ReplicaSet {
  /** URL of the load balancer. */
  url: string;
  /** URL of each replica. */
  urls: string[];
  /** Token of an admin of its org. */
  token: string;
  /** Direct access, for data that the API does not return. */
  db: Knex;
  postgres: Awaited<ReturnType<typeof startPlainPostgres>>;
  /** Ends a replica with this signal; resolves when its process has ended. */
  end(index: number, signal: NodeJS.Signals): Promise<void>;
  /** Restarts the same replica at the same address. */
  restart(index: number): Promise<void>;
  /** A request through the load balancer. */
  call(method: string, path: string, body?: object): Promise<Response>;
  /** The same; returns the response's data. @throws for a status other than 200 and 201 */
  data(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
}

/** One replica for each index. */
export const startReplicaSet = (kind: ProxyKind, count = 3): Promise<ReplicaSet & AsyncDisposable> =>
  together(async (own) => {
    const postgres = own(await startPlainPostgres());
    const artifacts = own(await tempDir());
    const adminToken = randomBytes(24).toString('hex');
    const ports = await Promise.all(Array.from({ length: count }, freePort));
    const start = (index: number) =>
      startServer({
        DATABASE_URL: postgres.url,
        RATE_LIMIT: 'off',
        PORT: String(ports[index]),
        SERVICE_ADMIN_TOKEN: adminToken,
        SERVICE_DATA_DIR: artifacts.path,
        SERVICE_ARTIFACTS_SHARED: '1',
        TRUST_PROXY: '127.0.0.1',
        ...clusterOf(ports[index] ?? 0),
      });
    const servers: ServerProcess[] = await Promise.all(ports.map((_, index) => start(index)));
    own({ [Symbol.asyncDispose]: () => Promise.all(servers.map((each) => each[Symbol.asyncDispose]())).then() });
    const urls = servers.map(({ url }) => url);
    const proxy: Proxy = own(await startProxy(kind, urls));
    const db = openDatabase(postgres.url);
    own({ [Symbol.asyncDispose]: () => db.destroy() });

    let token = adminToken;
    const call = (method: string, path: string, body?: object) =>
      fetch(`${proxy.url}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body && { 'Content-Type': 'application/json' }),
          ...(/deployments$/.test(path) && method === 'POST' && { 'Idempotency-Key': randomUUID() }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    const data = async (method: string, path: string, body?: object) => {
      const response = await call(method, path, body);
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return ((await response.json()) as { data: Record<string, unknown> }).data;
    };
    const org = await data('POST', '/api/admin/orgs', { name: 'Acme' });
    token = (await data('POST', `/api/admin/orgs/${String(org['id'])}/approve`))['token'] as string;
    return {
      url: proxy.url,
      urls,
      token,
      db,
      postgres,
      async end(index, signal) {
        await servers[index]?.end(signal);
      },
      async restart(index) {
        servers[index] = await start(index);
      },
      call,
      data,
    };
  });
