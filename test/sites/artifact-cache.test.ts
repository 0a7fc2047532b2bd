import { expect, test } from 'vitest';
import { signedInHome } from '../support/cli.ts';
import { factories } from '../support/factories.ts';
import { orderAgent } from '../support/order-agent.ts';
import { startWorld } from '../support/world.ts';

const address = 'http://cache.osaka.example.com/artifacts';

test('the artifact cache of a site is set, kept by a rename, and removed by the empty text', async () => {
  await using world = await startWorld();
  const made = await world.call('POST', '/api/sites', { body: { name: 'Osaka', artifact_base_url: address } });
  expect(made.body.data.artifact_base_url).toBe(address);
  const path = `/api/sites/${made.body.data.id}`;
  expect((await world.call('PATCH', path, { body: { name: 'Kobe' } })).body.data.artifact_base_url).toBe(address);
  expect((await world.call('GET', '/api/sites')).body.items[0].artifact_base_url).toBe(address);
  const removed = await world.call('PATCH', path, { body: { artifact_base_url: '' } });
  expect([removed.body.data.name, removed.body.data.artifact_base_url]).toEqual(['Kobe', undefined]);
  for (const refused of [
    'ftp://cache',
    'cache',
    'http://user:pass@cache',
    'http://cache/?a=b',
    'http://[',
    'http://c#d',
  ])
    expect([refused, (await world.call('PATCH', path, { body: { artifact_base_url: refused } })).status]).toEqual([
      refused,
      400,
    ]);
  expect((await world.call('PATCH', path, { body: {} })).status).toBe(400);
});

test('the client sets the artifact cache of a site, and shows it', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await home.cli(['sites', 'create', 'Osaka', '--artifact-base-url', address]);
  const fields = ['--fields', 'name,artifact_base_url'];
  expect((await home.cli(['sites', 'list', ...fields])).stdout).toBe(`Osaka\t${address}\n`);
  const other = await home.cli(['sites', 'update', 'Osaka', '--artifact-base-url', 'https://cache', ...fields]);
  expect([other.code, other.stdout]).toEqual([0, 'Osaka\thttps://cache\n']);
  expect((await home.cli(['sites', 'update', 'Osaka', '--artifact-base-url', '', ...fields])).stdout).toBe('Osaka\t\n');
  expect((await home.cli(['sites', 'update', 'Osaka'])).code).toBe(2);
});

test('an order of a release names the artifact cache of the site of its robot', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const robot = await make.robot('amr-1');
  await world.call('PATCH', `/api/sites/${robot.site_id}`, { body: { artifact_base_url: address } });
  using agent = await orderAgent(world.url, robot.robot_token);
  const release = await make.release();
  const target = { target_kind: 'robot', target_id: robot.robot_id };
  const headers = { 'Idempotency-Key': 'one' };
  await world.call('POST', '/api/deployments', { headers, body: { release_id: release.id, ...target } });
  expect(await agent.order()).toMatchObject({ lane: 'release:container_image', artifact_base_url: address });
});
