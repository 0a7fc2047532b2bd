import { expect, test } from 'vitest';
import { startWorld } from '../support/world.ts';

test('an operator makes a site, a fleet and a key, and a robot enrolls with it and is on the list', async () => {
  await using world = await startWorld();
  const { api } = world;
  const site = await api.POST('/api/sites', { body: { name: 'Osaka' } });
  expect(site.response.status).toBe(201);
  const siteId = site.data?.data.id ?? '';
  const fleet = await api.POST('/api/fleets', { body: { name: 'pickers', site_id: siteId } });
  const fleetId = fleet.data?.data.id ?? '';
  const key = await api.POST('/api/enrollment-keys', { body: { site_id: siteId, fleet_id: fleetId, max_uses: 1 } });
  const value = key.data?.data.value ?? '';
  expect(value).toMatch(/^svc_enroll_[0-9a-f]{64}$/);

  const enrolled = await world.apiAs(value).POST('/agent/enroll', { body: { name: 'amr-007' } });
  expect(enrolled.response.status).toBe(201);
  expect(enrolled.data?.data.robot_token).toMatch(/^svc_robot_[0-9a-f]{64}$/);

  const robots = await api.GET('/api/robots');
  expect(robots.data?.items).toEqual([
    expect.objectContaining({
      id: enrolled.data?.data.robot_id,
      name: 'amr-007',
      site_id: siteId,
      fleet_id: fleetId,
      online: false,
      labels: {},
    }),
  ]);
});

test('the audit log tells every change of those minutes in order, with who made it and the request id, and no secret', async () => {
  await using world = await startWorld();
  const site = await world.call('POST', '/api/sites', { body: { name: 'Osaka' } });
  const fleet = await world.call('POST', '/api/fleets', { body: { name: 'pickers', site_id: site.body.data.id } });
  const key = await world.call('POST', '/api/enrollment-keys', {
    body: { site_id: site.body.data.id, fleet_id: fleet.body.data.id },
  });
  const robot = await world.call('POST', '/agent/enroll', { token: key.body.data.value, body: {} });
  const audit = await world.call('GET', '/api/audit');
  expect(audit.body.items.map((entry: { operation: string }) => entry.operation)).toEqual([
    'createOrg',
    'createSite',
    'createFleet',
    'createEnrollmentKey',
    'enrollAgent',
  ]);
  expect(audit.body.items.map((entry: { seq: number }) => entry.seq)).toEqual([1, 2, 3, 4, 5]);
  expect(audit.body.items[1]).toMatchObject({
    actor_kind: 'org',
    actor_id: world.orgId,
    request_id: site.headers.get('x-request-id'),
    object_id: site.body.data.id,
  });
  expect(audit.body.items[4]).toMatchObject({
    actor_kind: 'enroll',
    actor_id: key.body.data.id,
    object_id: robot.body.data.robot_id,
  });
  expect(audit.text).not.toMatch(/svc_(org|user|robot|enroll)_[0-9a-f]{64}/);
});
