import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { tokenService } from '../../src/tokens/service.ts';
import { nextOpen, openShell, openStream, shellAgent, shellOf } from '../support/dial-back.ts';
import { factories } from '../support/factories.ts';
import { personWith } from '../support/person.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld, startWorld, type World } from '../support/world.ts';
import { promptMs } from '../support/until.ts';

/** Kim is an operator of the world's org and a viewer of another one, with one token for both. */
async function kimOf(world: World) {
  const other = await factories(world).org('Acme');
  const person = await personWith(world, [
    { orgId: world.orgId, token: world.orgToken, role: 'operator' },
    { orgId: other.id, token: other.token, role: 'viewer' },
  ]);
  const [userId = '', otherUserId = ''] = person.userIds;
  const call = (method: string, path: string, orgId?: string, body?: unknown) =>
    world.call(method, path, {
      token: person.value,
      body,
      headers: orgId === undefined ? {} : { 'X-Service-Org-Id': orgId },
    });
  const moveOther = (move: string) =>
    world.call('POST', `/api/admin/orgs/${other.id}/${move}`, { token: world.adminToken });
  return { ...person, userId, otherUserId, other, call, moveOther };
}

const needsChoice = {
  code: 'bad_request',
  message: 'X-Service-Org-Id: the token is valid in several orgs; send the ID of one that GET /api/whoami lists',
};

test('a token of several orgs acts in the one that the header names, with the role that it has there', async () => {
  await using world = await startWorld();
  const { call, other } = await kimOf(world);
  const made = await call('POST', '/api/sites', world.orgId.toUpperCase(), { name: 'Osaka' });
  expect([made.status, made.headers.get('x-service-org-id')]).toEqual([201, world.orgId]);
  const refused = await call('POST', '/api/sites', other.id, { name: 'Kyoto' });
  expect([refused.status, refused.headers.get('x-service-org-id')]).toEqual([403, other.id]);
  expect((await call('GET', '/api/sites', world.orgId)).body.items).toHaveLength(1);
  expect((await call('GET', '/api/sites', other.id)).body.items).toEqual([]);
});

test('without the header it is told to name an org, with that of somebody else that there is none, and no org is told', async () => {
  await using world = await startWorld();
  const { call } = await kimOf(world);
  const stranger = await factories(world).org('Stranger');
  for (const [orgId, status, error] of [
    [undefined, 400, needsChoice],
    [stranger.id, 404, { code: 'not_found', message: 'org not found' }],
    [randomUUID(), 404, { code: 'not_found', message: 'org not found' }],
    ['x', 404, { code: 'not_found', message: 'org not found' }],
  ] as const) {
    const answer = await call('POST', '/api/sites', orgId, { name: 'Osaka' });
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(answer.headers.get('x-service-org-id')).toBeNull();
  }
  expect((await call('GET', '/api/nowhere')).status).toBe(404);
  expect(await world.count('sites')).toBe(0);
});

test('whoami alone needs no choice: it lists the orgs of the token and tells the first, or the one that is named', async () => {
  await using world = await startWorld();
  const { call, other, id, moveOther } = await kimOf(world);
  const orgs = [
    { id: world.orgId, name: 'local', role: 'operator', suspended: false },
    { id: other.id, name: 'Acme', role: 'viewer', suspended: false },
  ];
  const first = await call('GET', '/api/whoami');
  expect(first.body.data).toMatchObject({ org: { id: world.orgId }, role: 'operator', token: { id }, orgs });
  expect(first.headers.get('x-service-org-id')).toBe(world.orgId);
  const named = await call('GET', '/api/whoami', other.id);
  expect(named.body.data).toMatchObject({ org: { id: other.id }, role: 'viewer', token: { id }, orgs });
  await moveOther('suspend');
  expect((await call('GET', '/api/whoami')).body.data.orgs).toEqual([orgs[0], { ...orgs[1], suspended: true }]);
  expect((await world.call('GET', '/api/whoami')).body.data.orgs).toEqual([{ ...orgs[0], role: 'admin' }]);
});

test('a suspended org refuses its part of a token and no other; what a call without a choice means does not change', async () => {
  await using world = await startWorld();
  const { call, other, moveOther } = await kimOf(world);
  await moveOther('suspend');
  const refused = await call('GET', '/api/sites', other.id);
  expect([refused.status, refused.body.error.message]).toEqual([401, 'the org is suspended']);
  expect(refused.headers.get('x-service-org-id')).toBeNull();
  expect((await call('GET', '/api/sites', world.orgId)).status).toBe(200);
  expect((await call('GET', '/api/sites')).body.error).toEqual(needsChoice);
  await world.call('POST', `/api/admin/orgs/${world.orgId}/suspend`, { token: world.adminToken });
  for (const path of ['/api/sites', '/api/whoami']) expect((await call('GET', path)).status).toBe(401);
  await moveOther('resume');
  expect((await call('GET', '/api/whoami')).body.data.org.id).toBe(other.id);
});

test('an admin of one org takes away what the token is good for there, and the rest stays', async () => {
  await using world = await startIsolatedWorld();
  await using elsewhere = await startIsolatedWorld({ shares: world });
  const { call, other, id, value, otherUserId } = await kimOf(world);
  expect((await call('GET', '/api/sites', other.id)).status).toBe(200);
  const there = () => elsewhere.call('GET', '/api/sites', { token: value, headers: { 'X-Service-Org-Id': other.id } });
  expect((await there()).status).toBe(200);
  await world.call('PATCH', `/api/users/${otherUserId}`, { token: other.token, body: { role: 'operator' } });
  expect((await call('POST', '/api/sites', other.id, { name: 'Kyoto' })).status).toBe(201);
  expect((await world.call('POST', `/api/tokens/${id}/revoke`, { token: other.token })).status).toBe(200);
  expect((await call('GET', '/api/sites', other.id)).status).toBe(404);
  await expect.poll(async () => (await there()).status, { interval: 20 }).toBe(404);
  // With one org left there is nothing to choose.
  const left = await call('GET', '/api/sites');
  expect([left.status, left.headers.get('x-service-org-id')]).toEqual([200, world.orgId]);
  await world.call('POST', `/api/tokens/${id}/revoke`);
  expect((await call('GET', '/api/sites')).status).toBe(401);
});

test('the token is one: it is listed in each org by the same id, expires at the same instant, and is limited as one', async () => {
  await using world = await startIsolatedWorld({ env: { RATE_LIMIT: '2/2' } });
  const other = await factories(world).org('Acme');
  const { id, value } = await personWith(
    world,
    [
      { orgId: world.orgId, token: world.orgToken, role: 'admin' },
      { orgId: other.id, token: other.token, role: 'admin' },
    ],
    { label: 'laptop', expiresInHours: 24 },
  );
  const [here, there] = [
    (await world.call('GET', '/api/tokens?kind=user')).body.items,
    (await world.call('GET', '/api/tokens?kind=user', { token: other.token })).body.items,
  ];
  expect(here).toMatchObject([{ id, label: 'laptop', expires_at: expect.any(String) }]);
  expect(there).toMatchObject([{ id, label: 'laptop', expires_at: here[0].expires_at }]);
  const ask = (orgId: string) =>
    world.call('GET', '/api/whoami', { token: value, headers: { 'X-Service-Org-Id': orgId } });
  const answers = await Promise.all(Array.from({ length: 16 }, (_, n) => ask(n % 2 ? world.orgId : other.id)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(11);
  expect(statuses).toContain(429);
});

test('a token for a user that an org does not have is issued for none of the orgs', async () => {
  await using world = await startWorld();
  const { other, otherUserId } = await kimOf(world);
  const before = await world.count('tokens');
  const memberships = [
    { orgId: other.id, userId: otherUserId },
    { orgId: world.orgId, userId: otherUserId },
  ];
  await expect(world.db.transaction((trx) => tokenService(trx).issueToPerson({ memberships }))).rejects.toThrow(
    'user not found',
  );
  expect(await world.count('tokens')).toBe(before);
});

test('streams want the choice as calls do, a ticket carries it, and a right that is lost in one org ends them there', async () => {
  await using world = await startWorld();
  const { id, value, call, moveOther, other } = await kimOf(world);
  const robot = await robotsOf(world).enroll();
  using agent = await shellAgent(world.url, robot.robot_token);
  const address = shellOf(world.url, robot.robot_id);
  const as = (orgId: string) => ({ token: value, headers: { 'X-Service-Org-Id': orgId } });
  await expect(openStream(address, { token: value })).rejects.toMatchObject({ status: 400 });
  await expect(openStream(address, as(randomUUID()))).rejects.toMatchObject({ status: 404 });
  // Another org's robot, and a stream for which the role there is too low.
  await expect(openStream(address, as(other.id))).rejects.toMatchObject({ status: 403 });
  await expect(openStream(address.replace('shell', 'logs'), as(other.id))).rejects.toMatchObject({ status: 404 });
  // The same holds for who has no choice.
  await expect(
    openStream(address, { token: world.orgToken, headers: { 'X-Service-Org-Id': other.id } }),
  ).rejects.toMatchObject({ status: 404 });

  const asked = { robot_id: robot.robot_id, kind: 'shell' };
  expect((await call('POST', '/api/stream-tickets', undefined, asked)).status).toBe(400);
  const { ticket } = (await call('POST', '/api/stream-tickets', world.orgId, asked)).body.data;
  using byTicket = await openStream(`${address}?token=${ticket}`);
  expect(byTicket.headers['x-service-org-id']).toBe(world.orgId);
  await nextOpen(agent);
  using byHeader = await openStream(address, as(world.orgId));
  expect(byHeader.headers['x-service-org-id']).toBe(world.orgId);
  await nextOpen(agent);
  using kept = await openShell(world.url, agent, robot.robot_id, world.orgToken);
  await moveOther('suspend');
  const startedAt = performance.now();
  await world.call('POST', `/api/tokens/${id}/revoke`);
  expect((await Promise.all([byTicket.closed, byHeader.closed])).map(({ code }) => code)).toEqual([4401, 4401]);
  expect(performance.now() - startedAt).toBeLessThan(promptMs);
  expect(kept.viewer.socket.readyState).toBe(1);
});
