import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { freePort } from '../../support/free-port.ts';
import { approvedOrg } from '../../support/killable-service.ts';
import { startNats, type Nats } from '../../support/nats.ts';
import { startPgBouncer, type PgBouncer } from '../../support/pgbouncer.ts';
import { startPlainPostgres } from '../../support/plain-postgres.ts';
import { startProxy } from '../../support/proxies.ts';
import { clusterSecret } from '../../support/replicas.ts';
import { startS3Store } from '../../support/s3-store.ts';
import { startServer, type ServerProcess } from '../../support/server-process.ts';
import { smallDisk, type SmallDisk } from '../../support/small-disk.ts';
import { startPostgresPair, type PostgresPair } from '../../support/standby.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { together } from '../../support/together.ts';
import { startWire, type Wire } from './wire.ts';

export interface ServiceOptions {
  /** Default: one server. `pair`: with a synchronous standby. `small disk`: on a disk that can be filled. `pooled`: behind PgBouncer. */
  postgres?: 'pair' | 'small disk' | 'pooled';
  /** Default: a bucket of an S3 store. */
  artifacts?: 'folder';
  /** More settings of a replica. */
  env?(index: number): Record<string, string>;
  /** Program of a replica at the beginning; the first one starts before the others. Default: the built service. */
  program?(index: number): string | undefined;
}

export type PlainPostgres = Awaited<ReturnType<typeof startPlainPostgres>>;

export interface Replica {
  /** Its settings. */
  environment: Record<string, string>;
  current(): ServerProcess;
  /** Starts it again, once it has ended. Default: the built service. */
  restart(program?: string): Promise<void>;
}

/** Three replicas of the built service, and everything that they need, each with a wire to break. */
export interface FaultService {
  /** Of the load balancer. */
  url: string;
  /** Of each replica, without the load balancer. */
  urls: string[];
  adminToken: string;
  orgId: string;
  token: string;
  db: Knex;
  replicas: Replica[];
  plain?: PlainPostgres;
  pair?: PostgresPair;
  disk?: SmallDisk;
  pooler?: PgBouncer;
  nats: Nats;
  wires: {
    balancer: Wire;
    s3?: Wire;
    /** From each replica to NATS. */
    nats: Wire[];
    /** From the other replicas to each. */
    peers: Wire[];
  };
}

const diskBytes = 600e6;
const countOfReplicas = 3;
const addressOf = ({ port }: Wire) => `127.0.0.1:${port}`;
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

export const startService = (options: ServiceOptions = {}): Promise<FaultService & AsyncDisposable> =>
  together(async (own) => {
    const ports = await Promise.all(upTo(countOfReplicas).map(freePort));
    const disk = options.postgres === 'small disk' ? own(smallDisk(diskBytes, '755')) : undefined;
    const pair = options.postgres === 'pair' ? own(await startPostgresPair({ synchronous: true })) : undefined;
    const plain = pair ? undefined : own(await startPlainPostgres(disk?.path));
    const databaseUrl = pair?.url ?? plain?.url ?? '';
    const pooler = plain && options.postgres === 'pooled' ? own(await startPgBouncer(plain.connection)) : undefined;
    const nats = own(await startNats());
    const ownWire = async (port: number) => own(await startWire(port));
    const natsWires = await Promise.all(ports.map(() => ownWire(nats.port)));
    const peerWires = await Promise.all(ports.map(ownWire));
    let s3: Wire | undefined;
    const folders = await Promise.all(ports.map(async () => own(await tempDir())));
    const artifacts = options.artifacts === 'folder' ? { SERVICE_ARTIFACTS_SHARED: '1' } : await bucket();

    async function bucket(): Promise<Record<string, string>> {
      const store = own(await startS3Store());
      const env = await store.bucket('artifacts');
      s3 = await ownWire(Number(new URL(env['S3_ENDPOINT'] ?? '').port));
      return { ...env, S3_ENDPOINT: `http://${addressOf(s3)}` };
    }

    const adminToken = randomBytes(24).toString('hex');
    const environmentOf = (index: number): Record<string, string> => {
      const folder = folders[options.artifacts === 'folder' ? 0 : index]?.path ?? '';
      const [peer, bus] = [peerWires[index], natsWires[index]].map((wire) => wire && addressOf(wire));
      return {
        DATABASE_URL: pooler?.url ?? databaseUrl,
        ...(pooler && { DATABASE_DIRECT_URL: databaseUrl }),
        RATE_LIMIT: 'off',
        PORT: String(ports[index]),
        SERVICE_ADMIN_TOKEN: adminToken,
        SERVICE_DATA_DIR: folder,
        TRUST_PROXY: '127.0.0.1',
        SERVICE_REPLICA_URL: `http://${peer}`,
        SERVICE_CLUSTER_SECRET: clusterSecret,
        NATS_URL: `nats://${bus}`,
        ...artifacts,
        ...options.env?.(index),
      };
    };
    const start = (index: number, program?: string) =>
      startServer(environmentOf(index), program === undefined ? undefined : [process.execPath, program]);
    const begin = (index: number) => start(index, options.program?.(index));
    const servers: ServerProcess[] = [];
    own({
      async [Symbol.asyncDispose]() {
        for (const { child } of servers) child.kill('SIGCONT');
        await Promise.all(servers.map((each) => each[Symbol.asyncDispose]()));
      },
    });
    servers.push(await begin(0));
    servers.push(...(await Promise.all(upTo(countOfReplicas).slice(1).map(begin))));
    const urls = servers.map(({ url }) => url);
    const haproxy = own(await startProxy('haproxy', urls));
    const balancer = await ownWire(Number(new URL(haproxy.url).port));
    const db = openDatabase(databaseUrl, { connections: 3 });
    own({ [Symbol.asyncDispose]: () => db.destroy() });
    const { id: orgId, token } = await approvedOrg(haproxy.url, adminToken);
    return {
      url: `http://${addressOf(balancer)}`,
      urls,
      adminToken,
      orgId,
      token,
      db,
      nats,
      wires: { balancer, nats: natsWires, peers: peerWires, ...(s3 && { s3 }) },
      replicas: servers.map((_, index) => ({
        environment: environmentOf(index),
        current: () => servers[index] as ServerProcess, // as many as there are
        async restart(program) {
          servers[index] = await start(index, program);
        },
      })),
      ...(plain && { plain }),
      ...(pair && { pair }),
      ...(disk && { disk }),
      ...(pooler && { pooler }),
    };
  });
