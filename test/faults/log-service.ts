import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import { startKillablePostgres, type KillablePostgres } from '../support/killable-postgres.ts';
import { approvedOrg } from '../support/killable-service.ts';
import { clusterOf } from '../support/replicas.ts';
import { startServer, type ServerProcess } from '../support/server-process.ts';
import { tempDir } from '../support/temp-dir.ts';
import { together } from '../support/together.ts';
import { patienceMs } from '../support/until.ts';
import { startCalledProcess } from './called-process.ts';

/** A process that stores or merges logs. */
export interface LogProcess {
  kind: 'replica' | 'merger';
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface Merger extends LogProcess {
  /** Merges everything that is stored. Undefined if it was killed meanwhile. */
  merge(): Promise<MergeResponse | undefined>;
}

interface MergeResponse {
  call: string;
  lost: number;
  error?: string;
}

/** Two replicas of the built service, and a process that merges their logs, with a Postgres of their own. */
export interface LogService extends AsyncDisposable {
  postgres: KillablePostgres;
  urls: readonly string[];
  replicas: readonly LogProcess[];
  merger: Merger;
  /** The process with this `application_name` in the database. */
  processOf(applicationName: string): Promise<LogProcess>;
  /** The body of the response to a request to one of the replicas. It is repeated until one accepts it. */
  call(method: string, path: string, body?: object, token?: string): Promise<Body>;
}

export interface Body {
  data: Record<string, string>;
  items: { seq: number; level: string; message: string }[];
  next_cursor?: string;
}

export const startLogService = (): Promise<LogService> =>
  together(async (own) => {
    const postgres = own(await startKillablePostgres(100));
    const artifacts = own(await tempDir());
    const adminToken = randomBytes(24).toString('hex');
    const startOn = async (port: number) =>
      startServer({
        DATABASE_URL: postgres.url,
        RATE_LIMIT: 'off',
        PORT: String(port),
        SERVICE_ADMIN_TOKEN: adminToken,
        SERVICE_DATA_DIR: artifacts.path,
        SERVICE_ARTIFACTS_SHARED: '1',
        ...clusterOf(port),
      });
    const replicas = [own(await startReplica(startOn)), own(await startReplica(startOn))];
    const merger = own(startMerger(postgres.url));
    const urls = replicas.map(({ url }) => url);
    const { token: orgToken } = await approvedOrg(urls[0] ?? '', adminToken);
    return {
      postgres,
      urls,
      replicas,
      merger,
      async processOf(applicationName) {
        const name = applicationName.split(' ')[1] ?? '';
        if (name === 'merger') return merger;
        const row = await postgres.db<{ id: string; url: string }>('replicas').where({ id: name }).first('url');
        const replica = replicas.find(({ url }) => url === row?.url);
        if (!replica) throw new Error(`no replica is called ${name}`);
        return replica;
      },
      async call(method, path, body, token = orgToken) {
        const deadline = performance.now() + patienceMs;
        for (let turn = 0; ; turn += 1) {
          const response = await fetch(`${urls[turn % urls.length]}${path}`, {
            method,
            headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
            ...(body && { body: JSON.stringify(body) }),
          }).catch(() => undefined);
          const text = await response?.text().catch(() => undefined);
          if (response?.ok && text !== undefined) return JSON.parse(text) as Body;
          if (performance.now() > deadline) throw new Error(`${method} ${path}: ${response?.status} ${text}`);
          await sleep(20);
        }
      },
    };
  });

async function startReplica(startOn: (port: number) => Promise<ServerProcess>) {
  const port = await freePort();
  let server = await startOn(port);
  return {
    kind: 'replica' as const,
    url: `http://127.0.0.1:${port}`,
    async kill() {
      await server.end('SIGKILL');
    },
    async start() {
      server = await startOn(port);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function startMerger(databaseUrl: string): Merger & AsyncDisposable {
  const called = startCalledProcess<MergeResponse>('log-merger.ts', databaseUrl);
  return { ...called, kind: 'merger', merge: () => called.call('merge') };
}
