import { expect, test } from 'vitest';
import contract from '../../../generated/openapi.json' with { type: 'json' };
import { validators } from '../../../generated/validators.js';
import { openDatabase } from '../../../src/platform/db/index.ts';
import type { Document } from '../../../src/platform/http/dispatch/contract.ts';
import type { Handlers } from '../../../src/platform/http/dispatch/operation.ts';
import { startIsolatedWorld, type IsolatedOptions } from '../../support/world.ts';

type Contract = NonNullable<IsolatedOptions['contract']>;

/** Handlers that would answer anything, for every operation: what stops a call is the dispatcher alone. */
const willing = new Proxy({} as Handlers, {
  has: () => true,
  get: () => async () => ({
    status: 200,
    body: { data: {} },
    audit: { orgId: contract.info.version, objectKind: 'x', objectId: 'x' },
  }),
});

async function worldWith(change: (document: Document) => void, rest: Partial<Contract> = {}) {
  const document = structuredClone(contract) as unknown as Document;
  change(document);
  return startIsolatedWorld({ contract: { document, validators, handlers: willing, ...rest } });
}

const listSites = (document: Document) => document.paths?.['/api/sites']?.get as unknown as Record<string, unknown>;

const refusesToStart = (change: (document: Document) => void, rest?: Partial<Contract>): Promise<string> =>
  worldWith(change, rest).then(
    () => 'it started',
    (error: unknown) => (error as Error).message,
  );

test('an operation without security, token kinds, a known role, validators or a handler stops the start', async () => {
  expect(await refusesToStart((document) => (listSites(document)['security'] = []))).toBe(
    'listSites must name exactly one security scheme',
  );
  expect(await refusesToStart((document) => delete listSites(document)['x-token-kinds'])).toBe(
    'listSites names no token kinds: nobody could call it',
  );
  expect(await refusesToStart((document) => (listSites(document)['security'] = [{ bearerAuth: ['reader'] }]))).toBe(
    'listSites names the unknown role reader',
  );
  expect(await refusesToStart(() => undefined, { validators: { ...validators, listSites: undefined as never } })).toBe(
    'listSites has no compiled validators: npm run generate',
  );
  expect(await refusesToStart(() => undefined, { handlers: {} as Handlers })).toBe('getWhoami has no handler');
});

test('without a token, with a bad one, with too low a role or with bad input no handler runs', async () => {
  let ran = 0;
  const counting = new Proxy(willing, {
    has: () => true,
    get: () => async () => {
      ran += 1;
      return { status: 200, body: { items: [] } };
    },
  });
  await using world = await startIsolatedWorld({
    contract: { document: contract as unknown as Document, validators, handlers: counting },
  });
  const statuses = [];
  for (const [path, token] of [
    ['/api/sites', ''],
    ['/api/sites', `svc_org_${'0'.repeat(64)}`],
    ['/api/admin/orgs', world.orgToken],
    ['/api/sites?limit=x', world.orgToken],
    ['/api/sites?nothing=1', world.orgToken],
  ] as const)
    statuses.push((await world.call('GET', path, { token })).status);
  expect(statuses).toEqual([401, 401, 403, 400, 400]);
  expect(ran).toBe(0);
  expect((await world.call('GET', '/api/sites')).status).toBe(200);
  expect(ran).toBe(1);
});

test('a token that cannot be looked up because the database is away is a 503, not a 401', async () => {
  await using world = await startIsolatedWorld();
  await world.bus.close();
  expect((await world.call('GET', '/api/sites')).status).toBe(200);
  // Nobody may connect to the database any more, and whoever was connected is thrown out.
  const admin = openDatabase({ ...world.connection, database: 'postgres' });
  await admin.raw(`alter database ${world.name} allow_connections false`);
  await admin.raw('select pg_terminate_backend(pid) from pg_stat_activity where datname = ?', [world.name]);
  await admin.destroy();
  const answer = await world.call('GET', '/api/sites');
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('1');
});

test('a fault of ours answers 500 with nothing of its message, which the log has with the request id', async () => {
  await using world = await startIsolatedWorld();
  await world.call('GET', '/api/sites');
  await world.db.raw('alter table sites rename to gone');
  const answer = await world.call('GET', '/api/sites?limit=1');
  expect(answer.body).toEqual({ error: { code: 'internal_server_error', message: 'the service failed' } });
  const line = world.lines.find((each) => each.includes('request failed'));
  expect(line).toContain('relation \\"sites\\" does not exist');
  expect(line).toContain(answer.headers.get('x-request-id'));
});
