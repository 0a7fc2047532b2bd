import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { startWorld, type World } from '../support/world.ts';

const sha = (digit: string) => digit.repeat(64);
const wish = { artifact_sha256: sha('a'), artifact_size: 10, tag: 'nav-1' };
const create = (world: World, body: object, token?: string) => world.call('POST', '/api/releases', { body, token });

test('a release is listed as it was answered, and is of kind container_image where nothing is said', async () => {
  await using world = await startWorld();
  const signed = { ...wish, tag: 'nav-2', kind: 'archive', notes: 'n', signature: 'c2ln', key_id: 'k-1' };
  const first = await create(world, wish);
  const second = await create(world, signed);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(first.body.data).toMatchObject({ ...wish, kind: 'container_image' });
  expect(second.body.data).toMatchObject(signed);
  expect((await world.call('GET', '/api/releases')).body.items).toEqual([first.body.data, second.body.data]);
  expect((await world.call('GET', '/api/releases?tag=nav-2')).body.items).toEqual([second.body.data]);
  expect((await world.call('GET', '/api/releases?kind=container_image')).body.items).toEqual([first.body.data]);
});

test('the same artifact under its tag again is the release that is there, notes and all', async () => {
  await using world = await startWorld();
  const first = await create(world, { ...wish, notes: 'first' });
  const again = await create(world, { ...wish, notes: 'second' });
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
  expect((await create(world, { ...wish, kind: 'archive' })).status).toBe(201);
});

test('another hash or size under a tag that is taken is a conflict', async () => {
  await using world = await startWorld();
  await create(world, wish);
  for (const change of [{ artifact_sha256: sha('b') }, { artifact_size: 11 }]) {
    const answer = await create(world, { ...wish, ...change });
    expect([answer.status, answer.body.error]).toEqual([
      409,
      { code: 'conflict', message: 'the org has a release "nav-1" of kind container_image with another artifact' },
    ]);
  }
});

test('of two artifacts that many callers give one tag at once, one is the release and the other a conflict', async () => {
  await using world = await startWorld();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => create(world, { ...wish, artifact_sha256: sha(index % 2 ? 'a' : 'b') })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array<number>(19).fill(200), 201, ...Array<number>(20).fill(409)]);
  const good = answers.filter(({ status }) => status < 300);
  expect(new Set(good.map(({ text }) => text)).size).toBe(1);
  expect(await world.count('releases')).toBe(1);
});

test('another org may use the same tag for another artifact', async () => {
  await using world = await startWorld();
  const { token } = await factories(world).org();
  await create(world, wish);
  expect((await create(world, { ...wish, artifact_sha256: sha('b') }, token)).status).toBe(201);
});

const refused: [what: string, change: object][] = [
  ['a signature without its key', { signature: 'c2ln' }],
  ['a key without a signature', { key_id: 'k-1' }],
  ['a hash in capitals', { artifact_sha256: sha('A') }],
  ['a size below 0', { artifact_size: -1 }],
  ['a size that is no integer', { artifact_size: 1.5 }],
  ['a kind with a space', { kind: 'a b' }],
  ['an empty tag', { tag: '' }],
  ['a field that nobody knows', { colour: 'red' }],
];

test('what does not fit is refused, and nothing is created', async () => {
  await using world = await startWorld();
  for (const [what, change] of refused) expect((await create(world, { ...wish, ...change })).status, what).toBe(400);
  expect(await world.count('releases')).toBe(0);
});

test('an artifact may be empty, and as large as an integer goes', async () => {
  await using world = await startWorld();
  expect((await create(world, { ...wish, artifact_size: 0 })).body.data.artifact_size).toBe(0);
  const large = { ...wish, tag: 'large', artifact_size: Number.MAX_SAFE_INTEGER };
  expect((await create(world, large)).body.data.artifact_size).toBe(Number.MAX_SAFE_INTEGER);
});

const archive = (world: World, id: string, archived = true, token?: string) =>
  world.call('PATCH', `/api/releases/${id}`, { body: { archived }, token });

test('an archived release is not deployed until it is restored, and keeps everything else', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const key = await make.key();
  const robot = await make.robot('first', key);
  const [old, other] = [await make.release(), await make.release()];
  const target = { target_kind: 'fleet', target_id: key.fleet_id as string };
  const deploy = (body: object) =>
    world.call('POST', '/api/deployments', { body, headers: { 'Idempotency-Key': randomUUID() } });
  const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
  const started = (await deploy({ release_id: old.id, ...target })).body.data.id;
  const scheduled = (await deploy({ release_id: old.id, ...target, scheduled_at })).body.data.id;
  await expect
    .poll(async () => (await world.call('GET', `/api/deployments/${started}`)).body.data.status)
    .toBe('pending');

  const archived = await archive(world, old.id);
  expect([archived.status, archived.body.data]).toEqual([200, { ...old, archived_at: expect.any(String) }]);
  const items = async (query: string) => (await world.call('GET', `/api/releases${query}`)).body.items;
  expect(await items('')).toEqual([archived.body.data, other]);
  expect(await items('?archived=false')).toEqual([other]);
  expect(await items('?archived=true')).toEqual([archived.body.data]);
  expect((await world.call('GET', '/api/releases?archived=no')).status).toBe(400);

  const refused = await deploy({ release_id: old.id, ...target });
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    `the release "${old.tag}" is archived; set "archived": false on it to deploy it`,
  ]);
  // Deployments that exist go on, and new robots get what their fleet has.
  const statusOf = async (id: string) => (await world.call('GET', `/api/deployments/${id}`)).body.data.status;
  expect([await statusOf(started), await statusOf(scheduled)]).toEqual(['pending', 'scheduled']);
  const { robot_id: newcomer } = await make.robot(undefined, key);
  expect((await world.call('GET', `/api/deployments?target_id=${newcomer}`)).body.items).toMatchObject([
    { release_id: old.id, caused_by: { kind: 'enrolled' } },
  ]);
  expect(robot.robot_id).toEqual(expect.any(String));

  const restored = await archive(world, old.id, false);
  expect(restored.body.data).toEqual(old);
  expect((await deploy({ release_id: old.id, ...target })).status).toBe(201);
});

test('pushing the tag of an archived release returns it, archived; another artifact is a conflict', async () => {
  await using world = await startWorld();
  const { id } = (await create(world, wish)).body.data;
  const { data } = (await archive(world, id)).body;
  const again = await create(world, wish);
  expect([again.status, again.body.data]).toEqual([200, data]);
  expect((await create(world, { ...wish, artifact_size: 11 })).body.error.message).toBe(
    'the org has an archived release "nav-1" of kind container_image with another artifact',
  );
});

test('archiving twice keeps the first time and leaves one audit entry', async () => {
  await using world = await startWorld();
  const { id } = (await create(world, wish)).body.data;
  const answers = await Promise.all(Array.from({ length: 8 }, () => archive(world, id)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const { items } = (await world.call('GET', '/api/audit?operation=updateRelease')).body;
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ object_kind: 'release', object_id: id, after: { archived_at: expect.any(String) } });
  expect(items[0].before).not.toHaveProperty('archived_at');
});

test('of archiving and deploying at once, none returns 500, and no release is archived by another org', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const key = await make.key();
  await make.robot('first', key);
  const release = await make.release();
  const deploy = () =>
    world.call('POST', '/api/deployments', {
      body: { release_id: release.id, target_kind: 'fleet', target_id: key.fleet_id },
      headers: { 'Idempotency-Key': randomUUID() },
    });
  const answers = await Promise.all([deploy(), archive(world, release.id), deploy(), deploy()]);
  for (const { status } of answers) expect([200, 201, 409]).toContain(status);
  expect((await deploy()).status).toBe(409);
  const { token } = await make.org();
  expect((await archive(world, release.id, false, token)).status).toBe(404);
  expect((await archive(world, 'no-id')).status).toBe(404);
});
