import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Deployment } from '../../../../cli/api/api.ts';
import { factories } from '../../../support/factories.ts';
import { robotsOf } from '../../../support/robots.ts';
import { openStores } from '../../../support/stores.ts';
import { startWorld } from '../../../support/world.ts';

test('each deed is done, and what it changed is on the screen', async () => {
  await using world = await startWorld();
  await using stores = await openStores({ url: world.url, token: world.orgToken });
  const { data, mutations } = stores;
  for (const list of [data.sites, data.fleets, data.keys, data.users, data.tokens, data.configs, data.robots])
    list.want();
  const site = await mutations.createSite('Osaka');
  const fleet = await mutations.createFleet('pickers', site.id);
  const key = await mutations.createKey({
    siteId: site.id,
    fleetId: fleet.id,
    label: 'dock',
    maxUses: 3,
    expiresInHours: 2,
  });
  expect(key).toMatchObject({ label: 'dock', max_uses: 3, value: expect.stringMatching(/^svc_enroll_/) });
  await expect.poll(() => data.keys.get().value?.byId.get(key.id)?.label).toBe('dock');
  const robot = (await factories(world).robot('amr-1', key)) as { robot_id: string };
  await mutations.renameRobot(robot.robot_id, 'amr-2');
  await expect.poll(() => data.robots.get().value?.byId.get(robot.robot_id)?.name).toBe('amr-2');
  await mutations.revokeKey(key.id);
  await expect.poll(() => data.keys.get().value?.byId.get(key.id)?.revoked_at).toBeDefined();
  expect(data.sites.get().value?.byId.get(site.id)?.name).toBe('Osaka');
  await expect.poll(() => data.fleets.get().value?.byId.get(fleet.id)?.name).toBe('pickers');

  const config = await mutations.setConfig({ namespace: 'default', key: 'nav.max_speed', value: { metres: [1, 2] } });
  expect(config.value).toEqual({ metres: [1, 2] });
  await expect.poll(() => data.configs.get().value?.items.length).toBe(1);

  const user = await mutations.createUser({ email: 'ann@example.com', name: 'Ann', role: 'viewer' });
  const token = await mutations.createToken(user.id, 'laptop');
  await mutations.setRole(user.id, 'operator');
  await expect.poll(() => data.users.get().value?.byId.get(user.id)?.role).toBe('operator');
  await expect.poll(() => data.tokens.get().value?.byId.get(token.id)?.label).toBe('laptop');
  await mutations.revokeToken(token.id);
  await expect.poll(() => data.tokens.get().value?.byId.get(token.id)?.revoked_at).toBeDefined();
  await mutations.removeUser(user.id);
  await expect.poll(() => data.users.get().value?.byId.has(user.id)).toBe(false);
});

test('a plan that is confirmed twice is one order, of a release and of a config', async () => {
  await using world = await startWorld();
  await using stores = await openStores({ url: world.url, token: world.orgToken });
  const { data, mutations } = stores;
  const { robot_id: id } = await robotsOf(world).enroll();
  const { id: releaseId } = await factories(world).release();
  const target = { kind: 'robot', id } as const;
  data.deployments.want();
  const order = {
    releaseId,
    target,
    scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
    idempotencyKey: randomUUID(),
  };
  const [first, second] = [await mutations.deployRelease(order), await mutations.deployRelease(order)];
  expect(second).toEqual(first);
  expect(first).toMatchObject({ target_kind: 'robot', target_id: id, status: 'scheduled' });
  expect(await world.count('deployments')).toBe(1);
  await expect.poll(() => data.deployments.get().value?.items.map((each: Deployment) => each.id)).toEqual([first.id]);
  await expect(mutations.deployRelease({ ...order, scheduledAt: undefined })).rejects.toMatchObject({
    code: 'conflict',
  });

  const [targets, events] = [data.targets('release', first.id), data.events('release', first.id)];
  targets.want();
  events.want();
  await mutations.cancelDeployment('release', first.id);
  await expect.poll(() => events.get().value?.at(-1)?.status).toBe('cancelled');
  await expect.poll(() => data.deployments.get().value?.byId.get(first.id)?.status).toBe('cancelled');
  expect(data.targets('release', first.id)).toBe(targets);

  const config = await factories(world).config();
  const wish = { configId: config.id as string, target, idempotencyKey: randomUUID() };
  const made = await Promise.all([mutations.deployConfig(wish), mutations.deployConfig(wish)]);
  expect(made[0]).toEqual(made[1]);
  await mutations.cancelDeployment('config', made[0].id);
});

test('what is refused is told as a failure that can be shown, with its hint and the id of its request', async () => {
  await using world = await startWorld();
  const token = await factories(world).userToken('viewer');
  await using stores = await openStores({ url: world.url, token });
  const refused = await stores.mutations.createSite('Osaka').catch((error: unknown) => error);
  expect({ ...(refused as object) }).toMatchObject({
    message: expect.stringContaining('needs operator'),
    code: 'forbidden',
    hint: expect.any(String),
    requestId: expect.any(String),
  });
  expect(stores.data.connection.get().kind).toBe('live');
});
