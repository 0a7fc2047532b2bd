import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { startIsolatedWorld, startWorld } from '../support/world.ts';

test('a user may do what the role allows, and a new role counts from the next call on', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const user = await made.user('viewer', 'Kim@Example.com');
  expect(user.email).toBe('kim@example.com');
  const token = (await world.call('POST', `/api/users/${user.id}/tokens`, { body: { label: 'laptop' } })).body.data;
  const createSite = () => world.call('POST', '/api/sites', { token: token.value, body: { name: 'Osaka' } });
  expect((await createSite()).body.error).toEqual({
    code: 'forbidden',
    message: 'needs operator or higher; this token is viewer',
  });
  await world.call('PATCH', `/api/users/${user.id}`, { body: { role: 'operator' } });
  expect((await createSite()).status).toBe(201);
  await world.call('PATCH', `/api/users/${user.id}`, { body: { role: 'viewer' } });
  expect((await createSite()).status).toBe(403);
});

test('whoami tells the org, the role, the user and the token', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const token = await made.userToken('operator', 'kim@example.com');
  const { body, headers } = await world.call('GET', '/api/whoami', { token });
  expect(body.data).toMatchObject({
    kind: 'user',
    role: 'operator',
    org: { id: world.orgId, name: 'local' },
    user: { email: 'kim@example.com' },
    token: { last_four: token.slice(-4) },
  });
  expect(headers.get('x-service-org-id')).toBe(world.orgId);
});

test('tokens that nobody asked for yet, looked up at the same instant, are each their own bearer, also one that comes twice', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const emails = Array.from({ length: 12 }, (_, n) => `kim${n}@example.com`);
  const tokens = await Promise.all(emails.map((email) => made.userToken('viewer', email)));
  const revoked = tokens[0] ?? '';
  const { token } = (await world.call('GET', '/api/whoami', { token: revoked })).body.data;
  await world.call('POST', `/api/tokens/${token.id}/revoke`);
  const unknown = `svc_user_${'0'.repeat(64)}`;
  const asked = [revoked, ...tokens.slice(1), unknown, ...tokens.slice(1, 3)];
  const answers = await Promise.all(asked.map((each) => world.call('GET', '/api/whoami', { token: each })));
  expect(answers.map(({ status, body }) => (status === 200 ? body.data.user.email : status))).toEqual([
    401,
    ...emails.slice(1),
    401,
    ...emails.slice(1, 3),
  ]);
});

test('of two admins who take the role from each other at once one keeps it', async () => {
  await using world = await startWorld();
  const admin = async (email: string) => {
    const { id } = await factories(world).user('admin', email);
    return { id, token: (await world.call('POST', `/api/users/${id}/tokens`, { body: {} })).body.data.value as string };
  };
  const [ann, bob] = [await admin('ann@example.com'), await admin('bob@example.com')];
  const give = (to: typeof ann, role: string, by: typeof ann) =>
    world.call('PATCH', `/api/users/${to.id}`, { token: by.token, body: { role } });
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all([give(bob, 'viewer', ann), give(ann, 'viewer', bob)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    await world.call('PATCH', `/api/users/${answers[0].status === 403 ? ann.id : bob.id}`, { body: { role: 'admin' } });
  }
});

test('who loses the role of admin cannot give it back to himself by calls that are on their way meanwhile', async () => {
  await using world = await startWorld();
  const { id } = await factories(world).user('admin', 'ann@example.com');
  const { value } = (await world.call('POST', `/api/users/${id}/tokens`, { body: {} })).body.data;
  const promote = () => world.call('PATCH', `/api/users/${id}`, { token: value, body: { role: 'admin' } });
  expect((await promote()).status).toBe(200);
  const [lowered] = await Promise.all([
    world.call('PATCH', `/api/users/${id}`, { body: { role: 'viewer' } }),
    ...Array.from({ length: 8 }, promote),
  ]);
  expect(lowered.status).toBe(200);
  expect((await world.call('GET', '/api/whoami', { token: value })).body.data.role).toBe('viewer');
});

test('a removed user is refused at the next call, and the address is free again', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const token = await made.userToken('admin', 'kim@example.com');
  expect((await world.call('GET', '/api/sites', { token })).status).toBe(200);
  const { user } = (await world.call('GET', '/api/whoami', { token })).body.data;
  await world.call('DELETE', `/api/users/${user.id}`);
  expect((await world.call('GET', '/api/sites', { token })).status).toBe(401);
  await made.user('viewer', 'kim@example.com');
});

test('two users of one address are a conflict, whatever its case, also at the same instant', async () => {
  await using world = await startWorld();
  const answers = await Promise.all(
    ['kim@example.com', 'KIM@example.com', 'Kim@Example.com'].map((email) =>
      world.call('POST', '/api/users', { body: { email, role: 'viewer' } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
});

test('a user needs an address with which somebody can sign in', async () => {
  await using world = await startWorld();
  const invite = (email: string) => world.call('POST', '/api/users', { body: { email, role: 'viewer' } });
  for (const email of ['kim@example.com\u200b', `${'k'.repeat(65)}@example.com`]) {
    const { status, body } = await invite(email);
    expect([status, body.error?.message]).toEqual([400, 'body.email: must be an address such as kim@example.com']);
  }
  expect((await invite(`${'k'.repeat(64)}@example.com`)).status).toBe(201);
});

test('a token is refused from the moment it expires', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const user = await made.user('viewer');
  const { body } = await world.call('POST', `/api/users/${user.id}/tokens`, { body: { expires_in_hours: 1 } });
  await world
    .db('tokens')
    .where({ id: body.data.id })
    .update({ expires_at: world.db.raw("now() + interval '700 ms'") });
  const status = async () => (await world.call('GET', '/api/sites', { token: body.data.value })).status;
  expect(await status()).toBe(200);
  await expect.poll(status).toBe(401);
});

test('while the bus is down every call asks the database, so a revocation elsewhere counts at once', async () => {
  await using world = await startIsolatedWorld();
  const token = await factories(world).userToken('viewer');
  expect((await world.call('GET', '/api/sites', { token })).status).toBe(200);
  await world.bus.close();
  await world.db('tokens').where({ kind: 'user' }).update({ revoked_at: world.db.fn.now() });
  expect((await world.call('GET', '/api/sites', { token })).status).toBe(401);
});

test('an org that revoked its last org token gets another by approval, once', async () => {
  await using world = await startWorld();
  const { token } = (await world.call('GET', '/api/whoami')).body.data;
  await world.call('POST', `/api/tokens/${token.id}/revoke`);
  expect((await world.call('GET', '/api/sites')).status).toBe(401);
  const approve = () => world.call('POST', `/api/admin/orgs/${world.orgId}/approve`, { token: world.adminToken });
  const { body } = await approve();
  expect((await world.call('GET', '/api/sites', { token: body.data.token })).status).toBe(200);
  expect((await approve()).status).toBe(409);
});

test('an approved org whose token is lost, and which has no user, gets another from the admin, and revokes the lost one with it', async () => {
  await using world = await startWorld();
  const issue = (id: string, body?: object) =>
    world.call('POST', `/api/admin/orgs/${id}/tokens`, { token: world.adminToken, body });
  const { status, body } = await issue(world.orgId, { label: 'replaces the lost one' });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ kind: 'org', label: 'replaces the lost one' });
  const token: string = body.data.value;
  expect(token).toMatch(/^svc_org_[0-9a-f]{64}$/);
  // The one that is only thought lost stays good until somebody revokes it.
  const lost = (await world.call('GET', '/api/whoami')).body.data.token.id;
  expect((await world.call('POST', `/api/tokens/${lost}/revoke`, { token })).status).toBe(200);
  expect((await world.call('GET', '/api/sites')).status).toBe(401);
  expect((await world.call('GET', '/api/whoami', { token })).body.data.token.id).toBe(body.data.id);

  const { items } = (await world.call('GET', '/api/audit?operation=createOrgToken', { token })).body;
  expect(items).toMatchObject([{ actor_kind: 'admin', object_kind: 'token', object_id: body.data.id }]);
  expect((await issue(randomUUID())).status).toBe(404);
  const org = await factories(world).org();
  await world.call('POST', `/api/admin/orgs/${org.id}/suspend`, { token: world.adminToken });
  const refused = await issue(org.id);
  expect([refused.status, refused.body.error.message]).toEqual([409, 'the org is suspended; a token needs approved']);
});

test("X-Service-Org-Id chooses the token's own org and no other", async () => {
  await using world = await startWorld();
  const other = await factories(world).org();
  const whoami = (org: string) => world.call('GET', '/api/whoami', { headers: { 'X-Service-Org-Id': org } });
  expect((await whoami(world.orgId)).status).toBe(200);
  for (const org of [other.id, randomUUID(), 'x'])
    expect((await whoami(org)).body.error).toEqual({ code: 'not_found', message: 'org not found' });
});

test('a robot is renamed, moved with its site, labelled and removed with its token', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const robot = await made.robot('amr-007');
  const fleet = await made.fleet(undefined, 'packers');
  const path = `/api/robots/${robot.robot_id}`;
  expect(
    (await world.call('PATCH', path, { body: { name: 'amr-008', labels: { floor: '2' } } })).body.data,
  ).toMatchObject({ name: 'amr-008', labels: { floor: '2' } });
  expect((await world.call('PATCH', path, { body: { fleet_id: fleet.id } })).body.data).toMatchObject({
    fleet_id: fleet.id,
    site_id: fleet.site_id,
    name: 'amr-008',
  });
  for (const body of [
    {},
    { name: '' },
    { site_id: fleet.site_id },
    { labels: { 'Bad Name': 'x' } },
    { labels: { floor: 2 } },
    { online: true },
  ])
    expect((await world.call('PATCH', path, { body })).status, JSON.stringify(body)).toBe(400);
  expect((await world.call('PATCH', path, { body: { fleet_id: randomUUID() } })).body.error.message).toBe(
    'fleet not found',
  );
  expect((await world.call('DELETE', path)).status).toBe(200);
  expect((await world.call('GET', path)).body.error.message).toBe('robot not found');
  expect((await world.call('GET', '/api/whoami', { token: robot.robot_token })).status).toBe(401);
});
