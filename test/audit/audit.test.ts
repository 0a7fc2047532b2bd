import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { startWorld } from '../support/world.ts';

const seqs = (body: { items: { seq: number }[] }) => body.items.map(({ seq }) => seq);

test('a change and its audit row are one: what is refused leaves neither', async () => {
  await using world = await startWorld();
  await world.call('POST', '/api/fleets', { body: { name: 'pickers', site_id: 'x' } });
  await world.call('POST', '/api/sites', { body: { name: '' } });
  expect(await world.count('audit')).toBe(1); // the org's own
});

test('numbers have no gap and follow the commits, read by many while many write', async () => {
  await using world = await startWorld();
  const writes = Array.from({ length: 60 }, (_, index) =>
    world.call('POST', '/api/sites', { body: { name: `site ${index}` } }),
  );
  // Each reader follows the log from its beginning while it grows.
  const follow = async () => {
    const seen: number[] = [];
    while (seen.length < 61) {
      const { status, body } = await world.call('GET', `/api/audit?after=${seen.at(-1) ?? 0}&limit=7`);
      expect(status).toBe(200);
      seen.push(...seqs(body));
    }
    return seen;
  };
  const readers = await Promise.all(Array.from({ length: 6 }, follow));
  await Promise.all(writes);
  for (const seen of readers) expect(seen).toEqual(Array.from({ length: 61 }, (_, index) => index + 1));
});

test('many readers of a log that nobody has read yet all find every entry under one number', async () => {
  await using world = await startWorld();
  await world.db.raw(
    `insert into audit (org_id, id, actor_kind, operation, object_kind, object_id)
     select ?, gen_random_uuid(), 'system', 'createSite', 'site', n::text from generate_series(1, 400) n`,
    [world.orgId],
  );
  const readers = await Promise.all(Array.from({ length: 8 }, () => world.call('GET', '/api/audit')));
  for (const { status, body } of readers) {
    expect(status).toBe(200);
    expect(seqs(body)).toEqual(Array.from({ length: 401 }, (_, index) => index + 1));
  }
});

test('without after the latest thousand are given, oldest first', async () => {
  await using world = await startWorld();
  await world.db.raw(
    `insert into audit (org_id, id, at, actor_kind, operation, object_kind, object_id)
     select ?, gen_random_uuid(), now() + n * interval '1 ms', 'system', 'createSite', 'site', n::text from generate_series(1, 6200) n`,
    [world.orgId],
  );
  const { status, body, text } = await world.call('GET', '/api/audit');
  expect(status, text).toBe(200);
  expect(seqs(body)).toEqual(Array.from({ length: 1_000 }, (_, index) => 5_202 + index));
  expect(seqs((await world.call('GET', '/api/audit?after=10&limit=3')).body)).toEqual([11, 12, 13]);
  expect(seqs((await world.call('GET', '/api/audit?limit=2')).body)).toEqual([6200, 6201]);
});

test('an entry tells the fields before and after, and is found by object, actor and operation', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const robot = await made.robot('amr-007');
  const token = await made.userToken('operator');
  await world.call('PATCH', `/api/robots/${robot.robot_id}`, {
    token,
    body: { name: 'amr-008' },
    headers: { 'X-Request-Id': 'my-request.1' },
  });
  const { user, token: bearer } = (await world.call('GET', '/api/whoami', { token })).body.data;
  const { body } = await world.call(
    'GET',
    `/api/audit?object_id=${robot.robot_id}&operation=updateRobot&actor_id=${user.id}`,
  );
  expect(body.items).toEqual([
    expect.objectContaining({
      actor_kind: 'user',
      token_id: bearer.id,
      request_id: 'my-request.1',
      before: { name: 'amr-007' },
      after: { name: 'amr-008' },
    }),
  ]);
});

test('an org sees its own entries only', async () => {
  await using world = await startWorld();
  const other = await factories(world).org();
  await world.call('POST', '/api/sites', { body: { name: 'Osaka' } });
  const { body } = await world.call('GET', '/api/audit', { token: other.token });
  expect(body.items.map((entry: { operation: string }) => entry.operation)).toEqual(['createOrg', 'approveOrg']);
});
