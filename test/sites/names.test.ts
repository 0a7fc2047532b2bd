import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { startWorld } from '../support/world.ts';

const umlaut = { composed: 'K\u00e4then', decomposed: 'Ka\u0308then' };

test('a name that another has in any letter case or normal form is refused with its ID', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const site = await make.site(umlaut.composed);
  const other = await make.site('Osaka');
  for (const name of [umlaut.composed, umlaut.composed.toUpperCase(), umlaut.decomposed]) {
    const refused = await world.call('POST', '/api/sites', { body: { name } });
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(refused.body.error.message).toBe(
      `site name "${umlaut.composed}" is taken by site ${site.id}; choose another name`,
    );
    expect((await world.call('PATCH', `/api/sites/${other.id}`, { body: { name } })).status).toBe(409);
  }
  expect((await world.call('GET', `/api/sites/${other.id}`)).body.data).toEqual(other);
  const found = await world.call('GET', `/api/sites?name=${encodeURIComponent(umlaut.decomposed.toUpperCase())}`);
  expect(found.body.items).toEqual([site]);
});

test('letters are compared by the rules of no language: the dotless i and the sharp s differ from i and ss', async () => {
  await using world = await startWorld();
  const make = factories(world);
  for (const name of ['STRASSE', 'stra\u00dfe', 'IZMIR', '\u0131zmir']) await make.site(name);
  expect((await world.call('POST', '/api/sites', { body: { name: 'izmir' } })).status).toBe(409);
});

test('a fleet name is unique in its site, and another org has its own names', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const [osaka, kyoto] = [await make.site('Osaka'), await make.site('Kyoto')];
  const fleet = await make.fleet(osaka.id, 'pickers');
  await make.fleet(kyoto.id, 'pickers');
  const refused = await world.call('POST', '/api/fleets', { body: { name: 'Pickers', site_id: osaka.id } });
  expect(refused.body.error.message).toBe(`fleet name "pickers" is taken by fleet ${fleet.id}; choose another name`);
  const org = await make.org();
  await make.site('Osaka', org.token);
});

test('of two concurrent creations exactly one gets the name', async () => {
  await using world = await startWorld();
  const all = await Promise.all(
    ['Osaka', 'OSAKA', 'osaka', 'oSaKa'].map((name) => world.call('POST', '/api/sites', { body: { name } })),
  );
  expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  expect(await world.count('sites')).toBe(1);
});

test('a rename can change the letter case, and is in the audit log; the old name is free', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const site = await make.site('osaka');
  const renamed = await world.call('PATCH', `/api/sites/${site.id}`, { body: { name: 'Osaka' } });
  expect(renamed).toMatchObject({ status: 200, body: { data: { ...site, name: 'Osaka' } } });
  const fleet = await make.fleet(site.id, 'pickers');
  await world.call('PATCH', `/api/fleets/${fleet.id}`, { body: { name: 'packers' } });
  await make.fleet(site.id, 'Pickers');
  const log = await world.call('GET', `/api/audit?object_id=${fleet.id}`);
  expect(log.body.items.at(-1)).toMatchObject({
    operation: 'updateFleet',
    before: { name: 'pickers' },
    after: { name: 'packers' },
  });
});

test('a site with fleets and a fleet with robots, keys or deployments are kept, and the message says why', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const key = await make.key();
  const robot = await make.robot('amr', key);
  const release = await make.release();
  const deployment = await make.deployment({
    release_id: release.id,
    target_kind: 'fleet',
    target_id: key.fleet_id,
    scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const remove = (path: string) => world.call('DELETE', path);
  expect((await remove(`/api/sites/${key.site_id}`)).body.error.message).toBe(
    'site "Osaka" has 1 fleet; delete them first',
  );
  const refused = await remove(`/api/fleets/${key.fleet_id}`);
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toBe(
    'fleet "pickers" has 1 robot, 1 valid enrollment key, 1 scheduled or active deployment; move or remove them, revoke them, cancel them or wait for their end first',
  );
  await remove(`/api/robots/${robot.robot_id}`);
  await world.call('POST', `/api/enrollment-keys/${key.id}/revoke`);
  await world.call('POST', `/api/deployments/${deployment.id}/cancel`);
  expect((await remove(`/api/fleets/${key.fleet_id}`)).status).toBe(200);
  expect((await remove(`/api/sites/${key.site_id}`)).status).toBe(200);
  expect((await remove(`/api/sites/${key.site_id}`)).status).toBe(404);
  expect((await world.call('GET', `/api/deployments/${deployment.id}`)).body.data.target_id).toBe(key.fleet_id);
  const log = await world.call('GET', `/api/audit?object_id=${key.fleet_id}`);
  expect(log.body.items.at(-1)).toMatchObject({ operation: 'deleteFleet', before: { name: 'pickers' } });
});

test('a fleet is never deleted from under a robot that enrolls or moves, a key, or a deployment', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const robot = await make.robot('mover');
  const release = await make.release();
  for (let round = 0; round < 5; round += 1) {
    const fleet = await make.fleet();
    const contenders = await Promise.all([
      world.call('DELETE', `/api/fleets/${fleet.id}`),
      world.call('DELETE', `/api/sites/${fleet.site_id}`),
      world.call('POST', '/api/enrollment-keys', { body: { site_id: fleet.site_id, fleet_id: fleet.id } }),
      world.call('PATCH', `/api/robots/${robot.robot_id}`, { body: { fleet_id: fleet.id } }),
      world.call('POST', '/api/fleets', { body: { site_id: fleet.site_id, name: 'new' } }),
      world.call('POST', '/api/deployments', {
        headers: { 'Idempotency-Key': `round-${round}` },
        body: { release_id: release.id, target_kind: 'fleet', target_id: fleet.id },
      }),
    ]);
    expect(contenders.filter(({ status }) => ![200, 201, 404, 409].includes(status))).toEqual([]);
    const isDeleted = contenders[0].status === 200;
    expect(contenders.slice(2, 4).every(({ status }) => (status === 404) === isDeleted)).toBe(true);
  }
});

test('a site and a fleet are read by their IDs, with the name that they have now', async () => {
  await using world = await startWorld();
  const fleet = (await factories(world).fleet()) as { id: string; site_id: string };
  const site = { params: { path: { id: fleet.site_id } } };
  await world.api.PATCH('/api/sites/{id}', { ...site, body: { name: 'Kobe' } });
  expect((await world.api.GET('/api/sites/{id}', site)).data?.data).toMatchObject({ id: fleet.site_id, name: 'Kobe' });
  const { data } = await world.api.GET('/api/fleets/{id}', { params: { path: { id: fleet.id } } });
  expect(data?.data).toEqual(fleet);
});
