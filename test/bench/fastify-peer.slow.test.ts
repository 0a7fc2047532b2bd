import { expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { AuditEntry } from '../../cli/api/api.ts';
import { chainFrom, startOf } from '../../cli/commands/audit/chain.ts';
import { auditService } from '../../src/audit/service.ts';
import { startIsolatedWorld, type IsolatedWorld } from '../support/world.ts';
import { databaseUrl } from './harness/database.ts';
import { seedFleet, type FleetData } from './harness/fleet-data.ts';
import { seedLinks } from './harness/seed-links.ts';
import { startPeer } from './peers/fastify-app.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Headers whose values differ, with the form of each. The peer writes JSON without spaces, so its length is another. */
const headerForms = {
  etag: /^W\/"[\w-]{26}"$/,
  'x-spec-digest': /^[0-9a-f]{64}$/,
  'content-length': /^\d+$/,
  date: / GMT$/,
};

interface Both extends AsyncDisposable {
  world: IsolatedWorld;
  fleet: FleetData;
  peerUrl: string;
}

/** The service and the peer on one database, whose robots have every field that a list can have. */
async function startBoth(world: IsolatedWorld): Promise<Both> {
  const url = databaseUrl(world.connection);
  const fleet = await seedFleet(url, 7);
  await seedLinks(url);
  await fillFields(world, fleet);
  const peer = await startPeer({ connection: url, logLevel: 'silent' });
  return {
    world,
    fleet,
    peerUrl: peer.url,
    [Symbol.asyncDispose]: () => peer.app.close(),
  };
}

/** amr-1 was never linked, amr-2 has every field of an active robot, and amr-7 is retired. */
async function fillFields({ db }: IsolatedWorld, { orgId, robotIds }: FleetData): Promise<void> {
  const [unlinked, full, , , , successor, retired] = robotIds;
  const [releaseId, deploymentId] = [retired, unlinked]; // any IDs
  const at = '2026-11-21T09:00:52.210Z';
  await db('robot_links').where({ robot_id: unlinked }).delete();
  await db('robot_links').where({ robot_id: full }).update({
    cameras: '["front","rear"]',
    has_topics: true,
    timezone: 'Asia/Tokyo',
    duplicate_at: db.fn.now(),
  });
  await db('robots').where({ id: full }).update({ replaces: unlinked, labels: '{"line “A”":"1\\n2"}' });
  await db('robots').where({ id: retired }).update({ replaced_by: successor, retired_at: at });
  await db('robot_reports').insert({
    org_id: orgId,
    robot_id: full,
    releases: { file: { release_id: releaseId, tag: 'maps-7', deployment_id: deploymentId, at, drift: { since: at } } },
    configs: { 'default/nav.max_speed': { config_id: releaseId, revision: 3, deployment_id: deploymentId, at } },
  });
  await db('releases').insert({
    org_id: orgId,
    id: releaseId,
    tag: 'nav-1',
    kind: 'container',
    artifact_sha256: '',
    artifact_size: 1,
  });
  const until = db.raw("now() + interval '1 day'");
  await db('robot_pins').insert({
    org_id: orgId,
    robot_id: full,
    release_id: releaseId,
    until,
    reason: 'demo',
    pinned_by: 'ops@example.com',
  });
  // The service reviews robots that were changed, and would take back what no rule says.
  await expect.poll(() => db('condition_reviews').select('id')).toEqual([]);
  await db('robot_status')
    .where({ robot_id: full })
    .update({
      severity: 2,
      since: at,
      conditions: JSON.stringify([
        { rule_id: releaseId, name: 'low', severity: 'unhealthy', since: at, message: '9 %' },
      ]),
      maintenance: { id: releaseId, until: at, reason: 'Battery' },
    });
}

interface Sent {
  method?: string;
  token?: string;
  body?: object;
  headers?: Record<string, string>;
}

/** One request to one side. Values of `headerForms` are checked and left out. */
async function send(url: string, path: string, token: string, { method = 'GET', body, headers }: Sent = {}) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
      'x-request-id': 'compared',
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const values = Object.fromEntries(response.headers);
  for (const [name, form] of Object.entries(headerForms))
    if (name in values) {
      expect(values[name], name).toMatch(form);
      values[name] = 'has its form';
    }
  return { status: response.status, headers: values, body: (await response.json()) as any }; // eslint-disable-line @typescript-eslint/no-explicit-any -- compared as a whole
}

/** The same request to both; the responses are equal. Returns that of the service. */
async function expectSame({ world, peerUrl, fleet }: Both, path: string, sent?: Sent) {
  const token = sent?.token ?? fleet.userToken;
  const [ours, peer] = [await send(world.url, path, token, sent), await send(peerUrl, path, token, sent)];
  expect(peer, path).toEqual(ours);
  return ours;
}

test('the fastify peer lists robots as the service does, field by field', async () => {
  await using world = await startIsolatedWorld();
  await using both = await startBoth(world);
  const { fleet } = both;
  const { body: first } = await expectSame(both, '/api/robots?limit=4');
  expect(first.items.map((robot: { name: string }) => robot.name)).toEqual(['amr-1', 'amr-2', 'amr-3', 'amr-4']);
  const { body: rest } = await expectSame(both, `/api/robots?limit=4&cursor=${first.next_cursor}`);
  expect(rest.items.map((robot: { name: string }) => robot.name)).toEqual(['amr-5', 'amr-6']);
  expect(rest).not.toHaveProperty('next_cursor');

  const { body: retired } = await expectSame(both, '/api/robots?limit=4&retired=true');
  const sent = [...first.items, ...retired.items].flatMap((robot: object) => Object.keys(robot));
  const { Robot } = contract.components.schemas;
  expect(new Set(sent)).toEqual(new Set(Object.keys(Robot.properties)));

  for (const filter of ['name=AMR-3', `fleet_id=${fleet.fleetId}`, 'fleet_id=pickers', `site_id=${fleet.fleetId}`])
    await expectSame(both, `/api/robots?limit=50&${filter}`);
  expect((await expectSame(both, '/api/robots?limit=50&name=AMR-3')).body.items).toHaveLength(1);
});

test('the fastify peer sends no page to a reader that has it, as the service', async () => {
  await using world = await startIsolatedWorld();
  await using both = await startBoth(world);
  const authorization = `Bearer ${both.fleet.userToken}`;
  for (const url of [world.url, both.peerUrl]) {
    const page = await fetch(`${url}/api/robots?limit=4`, { headers: { authorization } });
    const headers = { authorization, 'if-none-match': page.headers.get('etag') ?? '' };
    const again = await fetch(`${url}/api/robots?limit=4`, { headers });
    expect([again.status, await again.text()], url).toEqual([304, '']);
  }
});

test('the fastify peer refuses requests as the service does', async () => {
  await using world = await startIsolatedWorld();
  await using both = await startBoth(world);
  const refusals: [path: string, sent: Sent, status: number][] = [
    ['/api/robots?limit=4', { token: '' }, 401],
    ['/api/robots?limit=4', { token: `${both.fleet.userToken.slice(0, -4)}0000` }, 401],
    ['/api/robots?limit=4', { headers: { 'x-service-org-id': both.fleet.fleetId } }, 404],
    ['/api/robots?limit=4&cursor=MTIz', {}, 400],
    ['/api/sites', { method: 'POST', body: { name: 'OSAKA' } }, 409],
  ];
  for (const [path, sent, status] of refusals) expect((await expectSame(both, path, sent)).status, path).toBe(status);
});

test('the fastify peer creates a site with the same response, row and audit entry, and seals the entry into the chain', async () => {
  await using world = await startIsolatedWorld();
  await using both = await startBoth(world);
  const { peerUrl, fleet } = both;
  const create = (url: string, name: string) =>
    send(url, '/api/sites', fleet.userToken, { method: 'POST', body: { name } });
  const [ours, peer] = [await create(world.url, 'North'), await create(peerUrl, 'South')];
  const data = { id: expect.stringMatching(uuid), name: 'North', created_at: expect.stringMatching(instant) };
  expect(ours).toMatchObject({ status: 201, body: { data } });
  expect(peer).toEqual({ ...ours, body: { data: { ...data, name: 'South' } } });

  const rowsOf = (table: string) => world.db(table).where({ org_id: fleet.orgId });
  const [north, south] = await rowsOf('sites').whereIn('name', ['North', 'South']).orderBy('name');
  const { id, created_at: createdAt } = peer.body.data;
  expect(south).toEqual({ ...north, id, name: 'South', name_key: 'south', created_at: new Date(createdAt) });

  // The service of tests does not seal by itself: the hashes are by the peer.
  await expect.poll(() => rowsOf('audit').whereNull('hash')).toEqual([]);
  const [northEntry, southEntry, ...others] = await rowsOf('audit').orderBy('at');
  expect(others).toEqual([]);
  expect(southEntry).toEqual({
    ...northEntry,
    id: expect.stringMatching(uuid),
    at: expect.any(Date),
    object_id: id,
    after: peer.body.data,
    seq: 2,
    hash: expect.any(Buffer),
  });
  const chain = chainFrom({ seq: 0, hash: startOf(fleet.orgId) });
  const { objects } = await auditService(world.db).list(fleet.orgId, {});
  expect(objects.map((text) => chain.take(JSON.parse(text) as AuditEntry))).toEqual([undefined, undefined]);
});
