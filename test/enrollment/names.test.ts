import { expect, test } from 'vitest';
import { begun } from '../support/applied.ts';
import { factories } from '../support/factories.ts';
import { startWorld, type World } from '../support/world.ts';

const enroll = (world: World, key: { value: string }, body: object) =>
  world.call('POST', '/agent/enroll', { token: key.value, body });
const nonce = (text: string) => text.padEnd(16, '-');

test('a robot that enrolls under a taken name gets the next free number', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const key = await make.key();
  const names: string[] = [];
  for (const name of ['amr', 'AMR-3', 'Amr', 'amr', 'x'.repeat(128), 'x'.repeat(128)])
    names.push((await enroll(world, key, { name })).body.data.robot_name);
  expect(names).toEqual(['amr', 'AMR-3', 'Amr-2', 'amr-4', 'x'.repeat(128), `${'x'.repeat(126)}-2`]);
  expect((await make.robot(undefined, key)).robot_name).toMatch(/^robot-[0-9a-f]{6}$/);
});

test('100 concurrent enrollments under one name all succeed with names of their own', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const keys = await Promise.all(Array.from({ length: 4 }, () => make.key()));
  const all = await Promise.all(
    Array.from({ length: 100 }, (_, n) => enroll(world, keys[n % 4] as { value: string }, { name: 'amr' })),
  );
  expect(all.filter(({ status }) => status !== 201)).toEqual([]);
  expect(new Set(all.map(({ body }) => body.data.robot_name)).size).toBe(100);
});

test('a machine that presents its old token retires the old robot and takes its name', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const key = await make.key();
  const old = await make.robot('amr-007', key);
  const request = { nonce: nonce('again'), replaces_token: old.robot_token };
  const first = await enroll(world, key, request);
  expect(first).toMatchObject({ status: 201, body: { data: { robot_name: 'amr-007', replaces: old.robot_id } } });
  const { robot_id: id, robot_token: token } = first.body.data;
  const again = await enroll(world, key, request);
  expect(again).toMatchObject({ status: 200, body: { data: { robot_id: id, replaces: old.robot_id } } });
  expect(again.body.data).not.toHaveProperty('replaces_ignored');
  expect(token).not.toBe(old.robot_token);

  const get = async (path: string) => (await world.call('GET', path)).body;
  const retired = (await get(`/api/robots/${old.robot_id}`)).data;
  expect(retired).toMatchObject({ name: 'amr-007-retired', replaced_by: id, online: false });
  expect((await get(`/api/robots/${id}`)).data).toMatchObject({ name: 'amr-007', replaces: old.robot_id });
  expect((await get('/api/robots')).items).toMatchObject([{ id }]);
  expect((await get('/api/robots?retired=true')).items).toEqual([retired]);
  for (const filter of [`id=${old.robot_id}`, `id_end=${old.robot_id.slice(-12)}`])
    expect((await get(`/api/robots?${filter}`)).items).toEqual([retired]);
  const entries = (await get(`/api/robots/${old.robot_id}/timeline`)).items as { kind: string; message: string }[];
  // Both happen in one transaction, and so have no order.
  expect(entries.map(({ kind }) => kind).sort()).toEqual(['enrolled', 'renamed', 'retired']);
  expect(entries.find(({ kind }) => kind === 'retired')?.message).toBe(
    `retired: its machine enrolled again as robot ${id}`,
  );
  expect((await get(`/api/audit?object_id=${old.robot_id}`)).items.at(-1)).toMatchObject({
    operation: 'enrollAgent',
    after: { name: 'amr-007-retired', replaced_by: id },
  });
  const refused = await world.call('GET', `/agent/payloads/${'0'.repeat(64)}`, { token: old.robot_token });
  expect(refused.status).toBe(401);
  expect(world.lines.join()).not.toContain(old.robot_token);
  expect((await get('/api/enrollment-keys')).items).toMatchObject([{ uses: 2 }]);
});

test('the long name of a robot that is retired is cut between characters', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const key = await make.key({ max_uses: 2 });
  const old = await make.robot('\u{1f916}'.repeat(128), key);
  await enroll(world, key, { replaces_token: old.robot_token });
  const retired = (await world.call('GET', `/api/robots/${old.robot_id}`)).body.data;
  expect(retired.name).toBe(`${'\u{1f916}'.repeat(119)}-retired`);
});

test('a retired robot gets no deployment, keeps its fleet from being deleted, and can be moved out', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const key = await make.key({ max_uses: 2 });
  const old = await make.robot('amr', key);
  const release = await make.release();
  const waiting = await make.deployment({ release_id: release.id, target_kind: 'robot', target_id: old.robot_id });
  await begun(world, waiting.id);
  const fresh = (await enroll(world, key, { replaces_token: old.robot_token })).body.data;
  const refused = await world.call('POST', '/api/deployments', {
    headers: { 'Idempotency-Key': 'retired' },
    body: { release_id: release.id, target_kind: 'robot', target_id: old.robot_id },
  });
  expect(refused.body.error.message).toBe(
    `robot "amr-retired" is retired; deploy to robot ${fresh.robot_id}, which replaced it`,
  );
  const deployment = await make.deployment({
    release_id: release.id,
    target_kind: 'fleet',
    target_id: key.fleet_id,
  });
  await expect
    .poll(async () => (await world.call('GET', `/api/deployments/${deployment.id}`)).body.data.counts.total)
    .toBe(1);
  await expect
    .poll(async () => (await world.call('GET', `/api/deployments/${waiting.id}`)).body.data.status)
    .toBe('cancelled');
  await world.call('POST', `/api/deployments/${deployment.id}/cancel`);
  await world.call('DELETE', `/api/robots/${fresh.robot_id}`);
  const kept = await world.call('DELETE', `/api/fleets/${key.fleet_id}`);
  expect(kept.body.error.message).toContain('fleet "pickers" has 1 retired robot');
  const archive = await make.fleet();
  const moved = await world.call('PATCH', `/api/robots/${old.robot_id}`, { body: { fleet_id: archive.id } });
  expect(moved.status).toBe(200);
  await expect.poll(async () => (await world.call('DELETE', `/api/fleets/${key.fleet_id}`)).status).toBe(200);
});

test('an old token that is wrong, revoked or of another org is ignored, and the response says so', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const key = await make.key();
  const removed = await make.robot('removed', key);
  await world.call('DELETE', `/api/robots/${removed.robot_id}`);
  const org = await make.org();
  const foreign = await make.robot('foreign', await make.key({}, org.token));
  for (const replaces_token of ['no token', removed.robot_token, foreign.robot_token, world.orgToken]) {
    const { status, body } = await enroll(world, key, { name: 'amr', replaces_token });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ replaces_ignored: true });
    expect(body.data).not.toHaveProperty('replaces');
  }
  const kept = await world.call('GET', `/api/robots/${foreign.robot_id}`, { token: org.token });
  expect(kept.body.data).not.toHaveProperty('retired_at');
});

test('of two enrollments that present one old token, one retires the robot and both succeed', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const old = await make.robot('amr');
  const keys = [await make.key(), await make.key()];
  const all = await Promise.all(keys.map((key) => enroll(world, key, { replaces_token: old.robot_token })));
  expect(all.map(({ status }) => status)).toEqual([201, 201]);
  expect(all.filter(({ body }) => body.data.replaces === old.robot_id)).toHaveLength(1);
  expect(all.filter(({ body }) => body.data.replaces_ignored)).toHaveLength(1);
});
