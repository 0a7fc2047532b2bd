import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { startIsolatedWorld } from '../support/world.ts';

test('a revoked token is refused at the next call here and within two seconds by the other server', async () => {
  await using here = await startIsolatedWorld();
  await using there = await startIsolatedWorld({ shares: here });
  const token = await factories(here).userToken('viewer');
  for (const world of [here, there]) expect((await world.call('GET', '/api/sites', { token })).status).toBe(200);
  const { items } = (await here.call('GET', '/api/tokens?kind=user')).body;
  const revoked = await here.call('POST', `/api/tokens/${items[0].id}/revoke`);
  expect(revoked.body.data.revoked_at).toEqual(expect.any(String));
  expect((await here.call('GET', '/api/sites', { token })).status).toBe(401);
  await expect.poll(async () => (await there.call('GET', '/api/sites', { token })).status, { interval: 20 }).toBe(401);
  const again = await here.call('POST', `/api/tokens/${items[0].id}/revoke`);
  expect(again.body).toEqual(revoked.body);
});

test('the bus comes back by itself after its connection was killed', async () => {
  await using world = await startIsolatedWorld();
  await world.db.raw(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like '% hints'`,
  );
  await expect.poll(() => world.bus.up, { interval: 5 }).toBe(false);
  await expect.poll(() => world.bus.up).toBe(true);
});

test('an org goes from pending to approved with a token shown once, to suspended and back, and nothing is deleted', async () => {
  await using world = await startIsolatedWorld();
  const admin = (method: string, path: string, body?: unknown) =>
    world.call(method, `/api/admin${path}`, { token: world.adminToken, body });
  const { id } = (await admin('POST', '/orgs', { name: 'Acme' })).body.data;
  expect((await admin('POST', `/orgs/${id}/suspend`)).body.error.message).toBe(
    'the org is pending; suspend needs approved',
  );
  const approved = await Promise.all(Array.from({ length: 8 }, () => admin('POST', `/orgs/${id}/approve`)));
  expect(approved.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
  const { token } = approved.find(({ status }) => status === 200)?.body.data ?? {};
  expect(token).toMatch(/^svc_org_[0-9a-f]{64}$/);
  await world.call('POST', '/api/sites', { token, body: { name: 'Kyoto' } });
  expect((await admin('POST', `/orgs/${id}/suspend`)).body.data).toMatchObject({
    status: 'suspended',
    suspended_at: expect.any(String),
  });
  expect((await world.call('GET', '/api/sites', { token })).body.error).toEqual({
    code: 'unauthorized',
    message: 'the org is suspended',
  });
  expect((await admin('POST', `/orgs/${id}/resume`)).body.data).not.toHaveProperty('suspended_at');
  expect((await world.call('GET', '/api/sites', { token })).body.items).toHaveLength(1);
  expect((await admin('POST', `/orgs/${randomUUID()}/approve`)).status).toBe(404);
  expect((await admin('GET', '/orgs?status=approved')).body.items.map((org: { name: string }) => org.name)).toEqual([
    'local',
    'Acme',
  ]);
  expect((await admin('GET', '/stats')).body.data).toMatchObject({ orgs_approved: 2, orgs_pending: 0, sites: 1 });
});
