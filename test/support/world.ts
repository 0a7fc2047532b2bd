import { randomBytes } from 'node:crypto';
import createClient, { type Client } from 'openapi-fetch';
import type { Knex } from 'knex';
import type { paths } from '../../generated/api.d.ts';
import { auditService } from '../../src/audit/service.ts';
import { createFirstOrg } from '../../src/first-start.ts';
import { orgService } from '../../src/orgs/service.ts';
import type { Bus } from '../../src/platform/bus/bus.ts';
import type { ServiceBus } from '../../src/platform/bus/create-bus.ts';
import { checkReply } from './contract-check.ts';
import { openWorlds } from '../runner/open-worlds.ts';
import { adminToken, startService, type Service, type ServiceOptions } from './service.ts';

/** An org and its service: the base of nearly every test. */
export interface World extends AsyncDisposable {
  url: string;
  port: number;
  orgId: string;
  orgToken: string;
  adminToken: string;
  db: Knex; // of the whole service
  connection: Service['connection']; // to the same database
  bus: Bus;
  dataDir: string; // where it keeps artifacts
  lines: string[]; // log lines of the service since the world began
  api: Client<paths>; // the generated client with the org's token
  apiAs(token: string): Client<paths>;
  /** One request, unchanged; only the token is added (the org's by default, none for ''). */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** The rows of a table that belong to the org, or to one created after it. */
  count(table: string): Promise<number>;
}

/** A world whose service no other test uses. */
export interface IsolatedWorld extends World, Pick<Service, 'name' | 'stop'> {
  bus: ServiceBus;
}

export interface IsolatedOptions extends Omit<ServiceOptions, 'database' | 'onLine'> {
  /** A second service on the same database shares it, and the org. */
  shares?: Pick<IsolatedWorld, 'name' | 'orgId' | 'orgToken'>;
}

export interface CallOptions {
  token?: string | undefined;
  body?: unknown; // a text or bytes are sent unchanged, anything else as JSON
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- a test reads it as what it expects
}

/** Of this worker: started by the first test that needs it. It ends with the worker, and its database with the run. */
let sharedService: Promise<Service> | undefined;
/** Log readers of the current worlds on it. */
const readers = new Set<(line: string) => void>();

const startSharedService = () =>
  startService({
    onLine(line) {
      for (const read of readers) read(line);
    },
  });

/**
 * A new org on the service that all tests of this worker share. At the end the org is suspended, which closes its open
 * sockets.
 */
export async function startWorld(): Promise<World> {
  const service = await (sharedService ??= startSharedService());
  const org = await createOrg(service.db);
  const lines: string[] = [];
  const read = (line: string) => void lines.push(line);
  readers.add(read);
  const world = createWorld(service, org);
  const key = `org ${org.orgId}`;
  openWorlds.add(key);
  return {
    ...world,
    lines,
    async count(table) {
      const since = service.db('orgs').select('created_at').where({ id: org.orgId });
      const orgs = service.db('orgs').select('id').where('created_at', '>=', since);
      return countOf(service.db(table).whereIn('org_id', orgs));
    },
    async [Symbol.asyncDispose]() {
      // 409: the test itself has suspended it.
      const { status } = await world.call('POST', `/api/admin/orgs/${org.orgId}/suspend`, { token: adminToken });
      if (status !== 200 && status !== 409) throw new Error(`the org could not be suspended: ${status}`);
      readers.delete(read);
      openWorlds.delete(key);
    },
  };
}

/**
 * A separate service with its own database, for faults, limits, several replicas and anything that affects all orgs.
 */
export async function startIsolatedWorld({ shares, ...options }: IsolatedOptions = {}): Promise<IsolatedWorld> {
  const lines: string[] = [];
  const onLine = (line: string) => void lines.push(line);
  const service = await startService({ ...options, database: shares?.name, onLine });
  const org = shares ?? (await firstOrg(service.db));
  const key = `${service.name}${shares ? ` shared ${randomBytes(2).toString('hex')}` : ''}`;
  openWorlds.add(key);
  return {
    ...createWorld(service, org, options.contract === undefined),
    lines,
    count: (table) => countOf(service.db(table)),
    name: service.name,
    stop: service.stop,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      openWorlds.delete(key);
    },
  };
}

async function countOf(rows: Knex.QueryBuilder): Promise<number> {
  const [row] = await rows.count<{ count: number }[]>();
  return row?.count ?? 0;
}

interface OwnOrg {
  orgId: string;
  orgToken: string;
}

/** Creates it as the first start of the service does. */
async function firstOrg(db: Knex): Promise<OwnOrg> {
  const orgToken = (await createFirstOrg(db)) ?? '';
  return { orgId: (await db<{ id: string }>('orgs').select('id').first())?.id ?? '', orgToken };
}

/** The same in a database that already has orgs. */
const createOrg = (db: Knex): Promise<OwnOrg> =>
  db.transaction(async (trx) => {
    const { id } = await orgService(trx).create('local');
    const { token } = await orgService(trx).approve(id);
    await auditService(trx).record(id, {
      actor: { kind: 'system' },
      operation: 'createOrg',
      objectKind: 'org',
      objectId: id,
      after: { name: 'local', status: 'approved' },
    });
    return { orgId: id, orgToken: token };
  });

/** Every response is checked against the contract unless `checks` is false. */
function createWorld(service: Service, { orgId, orgToken }: OwnOrg, checks = true) {
  const { url, db } = service;

  async function call(
    method: string,
    path: string,
    { token = orgToken, body, headers = {} }: CallOptions = {},
  ): Promise<Answer> {
    const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(token === '' ? {} : { Authorization: `Bearer ${token}` }), ...json, ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (checks) checkReply(method, `${url}${path}`, response.status, response.headers, text);
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: /^\{.*\}$/s.test(text) ? JSON.parse(text) : undefined,
    };
  }

  const apiAs = (token: string): Client<paths> =>
    createClient<paths>({
      baseUrl: url,
      headers: { Authorization: `Bearer ${token}` },
      fetch: async (request: Request) => {
        const response = await fetch(request);
        checkReply(request.method, request.url, response.status, response.headers, await response.clone().text());
        return response;
      },
    });

  return {
    url,
    port: service.port,
    orgId,
    orgToken,
    adminToken,
    db,
    connection: service.connection,
    bus: service.bus,
    dataDir: service.dataDir,
    call,
    api: apiAs(orgToken),
    apiAs,
  };
}

/** The `DATABASE_URL` of its database, for a server in its own process. */
export const addressOf = ({ connection: { host, port, user, password, database } }: World) =>
  `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;

/** Settings that make a server process another replica beside the world: its database, and its artifacts folder. */
export const replicaBeside = (world: IsolatedWorld) => ({
  DATABASE_URL: addressOf(world),
  SERVICE_DATA_DIR: world.dataDir,
  SERVICE_ARTIFACTS_SHARED: '1',
  RATE_LIMIT: 'off',
});
