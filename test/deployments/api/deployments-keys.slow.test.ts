import { expect, test } from 'vitest';
import { factories } from '../../support/factories.ts';
import { startIsolatedWorld, startWorld, type Answer, type World } from '../../support/world.ts';

const keys = 20;
const callersEach = 32;

async function orderOf(world: World, token?: string) {
  const make = factories(world);
  const release = await make.release({}, token);
  const fleet = await make.fleet(undefined, 'pickers', token);
  return { release_id: release.id as string, target_kind: 'fleet', target_id: fleet.id as string };
}

const post = (world: World, key: string, body: unknown, token?: string): Promise<Answer> =>
  world.call('POST', '/api/deployments', { body, token, headers: { 'Idempotency-Key': key } });

test('however many callers use a key at once, at two servers, it makes one order and gives one answer', async () => {
  await using world = await startIsolatedWorld();
  await using other = await startIsolatedWorld({ shares: world });
  const body = JSON.stringify(await orderOf(world));
  async function call(key: string, index: number) {
    const response = await fetch(`${index % 2 === 0 ? world.url : other.url}/api/deployments`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${world.orgToken}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body,
    });
    return {
      status: response.status,
      replayed: response.headers.has('idempotent-replayed'),
      retry: response.headers.has('retry-after'),
      text: await response.text(),
    };
  }
  // Three keys at a time, all callers of a key at once: more would only queue for the connections of two pools.
  const waiting = Array.from({ length: keys }, (_, index) => `key-${index}`).values();
  const worker = async () => {
    for (const key of waiting) {
      const answers = await Promise.all(Array.from({ length: callersEach }, (_, index) => call(key, index)));
      const made = answers.filter(({ status }) => status === 201);
      expect(new Set(made.map(({ text }) => text)).size, key).toBe(1);
      expect(
        made.filter(({ replayed }) => !replayed),
        key,
      ).toHaveLength(1);
      const refused = answers.filter(({ status }) => status !== 201);
      for (const { status, retry, text } of refused) expect([status, retry], text).toEqual([409, true]);
    }
  };
  await Promise.all(Array.from({ length: 3 }, worker));
  expect(await world.count('deployments')).toBe(keys);
  expect(await world.count('deployment_counts')).toBe(keys);
  const { rows } = await world.db.raw<{ rows: unknown[] }>("select 1 from audit where operation = 'createDeployment'");
  expect(rows).toHaveLength(keys);
});

test('a key that was used with another order is a conflict; the same order, spelt otherwise, is a replay', async () => {
  await using world = await startWorld();
  const order = await orderOf(world);
  const first = await post(world, 'key-1', { ...order, active_minutes: 30 });
  const changes = [{ active_minutes: 31 }, { target_kind: 'robot' }, { signature: 'c2ln', key_id: 'k' }, order];
  for (const change of changes) {
    const answer = await post(world, 'key-1', change === order ? order : { ...order, active_minutes: 30, ...change });
    expect([answer.status, answer.body.error?.message], JSON.stringify(change)).toEqual([
      409,
      'this Idempotency-Key was used with another payload',
    ]);
  }
  const { release_id: release, target_id: target } = order;
  const spelt = `{ "target_id":"${target}","active_minutes" : 3e1, "target_kind":"\\u0066leet", "release_id":"${release}" }`;
  for (const text of [spelt, JSON.stringify({ ...order, active_minutes: 30.0 })]) {
    const replay = await post(world, 'key-1', text);
    expect([replay.status, replay.text]).toEqual([201, first.text]);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
  }
  expect(await world.count('deployments')).toBe(1);
});

test('a key belongs to one operation and one org', async () => {
  await using world = await startWorld();
  const order = await orderOf(world);
  const config = await factories(world).config();
  const other = await factories(world).org();
  await post(world, 'key-1', order);
  const ofConfig = await world.call('POST', '/api/configs/deployments', {
    body: { config_id: config.id, target_kind: 'fleet', target_id: order.target_id },
    headers: { 'Idempotency-Key': 'key-1' },
  });
  expect([ofConfig.status, ofConfig.headers.has('idempotent-replayed')]).toEqual([201, false]);
  const ofOther = await post(world, 'key-1', await orderOf(world, other.token), other.token);
  expect([ofOther.status, ofOther.headers.has('idempotent-replayed')]).toEqual([201, false]);
  expect(await world.count('deployments')).toBe(3);
});

test('another actor of the org replays if it may order at all', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const order = await orderOf(world);
  const first = await post(world, 'key-1', order);
  const replay = await post(world, 'key-1', order, await make.userToken('operator'));
  expect([replay.status, replay.text, replay.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true']);
  expect((await post(world, 'key-1', order, await make.userToken('viewer'))).status).toBe(403);
});

test('a replay gives the first answer also when the deployment has moved on, and an order that was refused leaves its key free', async () => {
  await using world = await startWorld();
  const order = await orderOf(world);
  expect((await post(world, 'key-1', { ...order, release_id: order.target_id })).body.error.message).toBe(
    'release not found',
  );
  const first = await post(world, 'key-1', order);
  await expect
    .poll(async () => (await world.call('GET', `/api/deployments/${first.body.data.id}`)).body.data.status)
    .not.toBe('scheduled');
  expect((await post(world, 'key-1', order)).text).toBe(first.text);
});

test('an order without a key is refused', async () => {
  await using world = await startWorld();
  const body = await orderOf(world);
  expect((await world.call('POST', '/api/deployments', { body })).body.error).toEqual({
    code: 'bad_request',
    message: 'header: "idempotency-key" is required',
  });
});
