import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestOf } from '../../src/kernel/tokens.ts';
import { tokenStore } from '../../src/tokens/store.ts';
import { connectAgent, linkedAgent, type FakeAgent } from '../support/fake-agent.ts';
import { factories } from '../support/factories.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld, startWorld, type World } from '../support/world.ts';

const nonce = () => randomBytes(16).toString('hex');

const rotate = (world: World, token: string, body = { nonce: nonce() }) =>
  world.call('POST', '/agent/token', { token, body });

const valueOf = async (...call: Parameters<typeof rotate>): Promise<string> => {
  const answer = await rotate(...call);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.robot_token;
};

/** Closes in order, so that the next link takes the place of none. */
async function leave({ socket, closed }: FakeAgent): Promise<void> {
  socket.close(1000);
  await closed;
}

/** Whether a value of a robot's token is good; a use of it, where it is. */
const isGood = async (world: World, token: string) => {
  const { status } = await world.call('GET', `/agent/payloads/${'0'.repeat(64)}`, { token });
  return { 401: false, 404: true }[status];
};

test('a new value is given once for a nonce; the first use of it, and nothing before, ends the one before, at every replica', async () => {
  await using world = await startIsolatedWorld();
  await using other = await startIsolatedWorld({ shares: world });
  const { robot_token: first } = await robotsOf(world).enroll();
  const body = { nonce: nonce() };
  const second = await valueOf(world, first, body);
  expect(second).toMatch(/^svc_robot_[0-9a-f]{64}$/);
  expect(second).not.toBe(first);
  for (const each of [world, other, world]) expect(await isGood(each, first)).toBe(true);
  // The answer was lost: the same one comes again, however many ask at once.
  expect(await Promise.all([world, other, world].map((each) => valueOf(each, first, body)))).toEqual(
    Array(3).fill(second),
  );
  // By the new one it changes nothing, but that it is used.
  expect(await valueOf(other, second, body)).toBe(second);
  expect(await isGood(other, first)).toBe(false);
  await expect.poll(() => isGood(world, first), { interval: 20 }).toBe(false);
  expect(await isGood(world, second)).toBe(true);
  expect((await rotate(world, first, body)).status).toBe(401);
  expect(await world.count('tokens')).toBe(2);
  const told = (await world.call('GET', '/api/audit?operation=rotateAgentToken')).body.items;
  expect(told).toHaveLength(1);
  expect(JSON.stringify(told)).not.toContain(second);
  expect([...world.lines, ...other.lines].join('\n')).not.toMatch(/svc_robot_[0-9a-f]{64}/);
});

test('a second nonce revokes nothing before its value is used: the value of the first nonce works on, by the first value too', async () => {
  await using world = await startIsolatedWorld();
  await using other = await startIsolatedWorld({ shares: world });
  const { robot_token: first } = await robotsOf(world).enroll();
  const body = { nonce: nonce() };
  const early = await valueOf(world, first, body);
  const second = await valueOf(world, first);
  for (const each of [world, other, world]) expect(await isGood(each, early)).toBe(true);
  // Its nonce still gives it, and neither that nor its use ends the newest.
  expect(await valueOf(other, early, body)).toBe(early);
  expect(await isGood(world, second)).toBe(true);
  await expect.poll(() => isGood(other, early), { interval: 20 }).toBe(false);
  await expect.poll(() => isGood(world, early), { interval: 20 }).toBe(false);
  expect(await isGood(other, first)).toBe(false);
  expect((await rotate(world, early, body)).status).toBe(401);
});

test('an agent that runs on the value of the first nonce keeps it through further rotations, until the newest value is used', async () => {
  await using world = await startWorld();
  const { robot_token: first } = await robotsOf(world).enroll();
  const early = await valueOf(world, first);
  await valueOf(world, first);
  expect(await isGood(world, early)).toBe(true);
  await expect.poll(() => isGood(world, first)).toBe(false);
  // Told to rotate again on its next link, it loses two answers.
  await valueOf(world, early);
  const newest = await valueOf(world, early);
  expect(await isGood(world, early)).toBe(true);
  expect(await isGood(world, newest)).toBe(true);
  await expect.poll(() => isGood(world, early)).toBe(false);
});

test('an agent that lost its answer and its nonce asks anew, twice: what it got first is no longer good, the value before is', async () => {
  await using world = await startWorld();
  const { robot_token: first } = await robotsOf(world).enroll();
  const lost = await valueOf(world, first);
  await valueOf(world, first);
  const second = await valueOf(world, first);
  expect(await isGood(world, lost)).toBe(false);
  expect(await isGood(world, first)).toBe(true);
  expect(await isGood(world, second)).toBe(true);
  const third = await valueOf(world, second);
  expect(await isGood(world, second)).toBe(true);
  expect(await isGood(world, third)).toBe(true);
  for (const old of [first, second]) expect(await isGood(world, old)).toBe(false);
});

test('the value before ends a day later all the same, and both end with the token', async () => {
  await using world = await startWorld();
  const { robot_token: first } = await robotsOf(world).enroll();
  const second = await valueOf(world, first);
  expect(await isGood(world, first)).toBe(true);
  const { rows } = await world.db.raw<{ rows: { hours: string }[] }>(
    "select round(extract(epoch from previous_until - now()) / 3600) as hours from tokens where kind = 'robot' and org_id = ?",
    [world.orgId],
  );
  expect(Number(rows[0]?.hours)).toBe(24);
  await world
    .db('tokens')
    .where({ kind: 'robot', org_id: world.orgId })
    .update({ previous_until: new Date(0) });
  world.bus.deliver([{ topic: 'access_changed', orgId: world.orgId }]);
  expect(await isGood(world, first)).toBe(false);
  const third = await valueOf(world, second);
  const { items } = (await world.call('GET', '/api/tokens?kind=robot')).body;
  expect(items).toMatchObject([{ last_four: third.slice(-4) }]);
  await world.call('POST', `/api/tokens/${items[0].id}/revoke`);
  for (const value of [second, third]) expect(await isGood(world, value)).toBe(false);
});

test('a value before that is over is refused, also when it is looked up together with the present one', async () => {
  await using world = await startWorld();
  const { robot_token: first } = await robotsOf(world).enroll();
  const second = await valueOf(world, first);
  await world.db.raw(`update tokens set previous_until = now() - interval '1 second' where previous_until is not null`);
  const found = await tokenStore(world.db).findGrants([second, first].map(digestOf));
  expect(found.map(({ grants, isFirstUse }) => [grants.length, isFirstUse])).toEqual([
    [1, true],
    [0, false],
  ]);
});

test('eight who race with nonces of their own leave the last two values and the one before: the first use of a value ends those before it', async () => {
  await using world = await startWorld();
  const { robot_token: first } = await robotsOf(world).enroll();
  const values = await Promise.all(Array.from({ length: 8 }, () => valueOf(world, first)));
  expect(await isGood(world, first)).toBe(true);
  const { rows } = await world.db.raw<{ rows: [{ digest: Buffer }] }>(
    "select digest from tokens where kind = 'robot' and org_id = ?",
    [world.orgId],
  );
  const newest = values.find((value) => digestOf(value).equals(rows[0].digest)) ?? '';
  const good = [];
  for (const value of values) if (value !== newest && (await isGood(world, value))) good.push(value);
  expect(good).toHaveLength(1);
  for (const [value, isValid] of [
    [first, false],
    [newest, true],
    [good[0] ?? '', false],
  ] as const)
    expect(await isGood(world, value)).toBe(isValid);
});

test('an admin asks for it: an agent that is connected to any replica hears it, one that is away when it comes', async () => {
  await using world = await startIsolatedWorld();
  await using other = await startIsolatedWorld({ shares: world });
  const { robot_id: id, robot_token: first } = await robotsOf(world).enroll();
  const ask = () => other.call('POST', `/api/robots/${id}/rotate-token`);
  const listed = async () => (await world.call('GET', '/api/tokens?kind=robot')).body.items[0];
  using agent = await linkedAgent(world.url, first);
  const asked = await ask();
  expect(asked.body.data).toEqual(await listed());
  expect(asked.body.data).toMatchObject({ robot_id: id, rotation_wanted_at: expect.any(String) });
  await agent.next('rotate');
  // Its hint reaches a replica that it was made at twice, and asking again changes nothing.
  await world.call('POST', `/api/robots/${id}/rotate-token`);
  await ask();
  agent.send({ type: 'logs', spool: 's', from_seq: 1, to_seq: 1, records: [{ seq: 1 }] });
  await agent.next('logs_ack');
  expect(agent.frames.filter(({ type }) => type === 'rotate')).toHaveLength(1);
  const second = await valueOf(world, first);
  // It is wanted until the new value is used.
  await leave(agent);
  using again = await linkedAgent(world.url, first);
  await again.next('rotate');
  await leave(again);
  using renewed = await linkedAgent(other.url, second);
  expect(await listed()).not.toHaveProperty('rotation_wanted_at');
  await expect(connectAgent(world.url, first)).rejects.toMatchObject({ status: 401 });
  await leave(renewed);
  await ask();
  using late = await linkedAgent(world.url, second);
  await late.next('rotate');
});

test('who has no robot token gets no new one, and a robot without a good token cannot be asked', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll();
  const operator = await factories(world).userToken('operator');
  expect((await rotate(world, world.orgToken)).status).toBe(403);
  for (const short of ['', 'x'.repeat(31), 'x'.repeat(129), 'ä'.repeat(40)])
    expect((await rotate(world, token, { nonce: short })).status).toBe(400);
  const path = `/api/robots/${id}/rotate-token`;
  expect((await world.call('POST', path, { token: operator })).status).toBe(403);
  const { items } = (await world.call('GET', '/api/tokens?kind=robot')).body;
  await world.call('POST', `/api/tokens/${items[0].id}/revoke`);
  expect((await rotate(world, token)).status).toBe(401);
  const refused = await world.call('POST', path);
  expect([refused.status, refused.body.error.message]).toEqual([409, 'the robot has no valid token']);
});

test('an agent is asked once per link for a rotation, and once more for the next one on the same link', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: first } = await robotsOf(world).enroll();
  using agent = await linkedAgent(world.url, first);
  let seq = 0;
  const asked = async () => {
    await world.call('POST', `/api/robots/${id}/rotate-token`);
    await agent.next('rotate');
    // What the bus brings comes before the record is stored, a second later.
    seq += 1;
    agent.send({ type: 'logs', spool: 's', from_seq: seq, to_seq: seq, records: [{ seq }] });
    await agent.next('logs_ack');
    return agent.frames.filter(({ type }) => type === 'rotate').length;
  };
  expect(await asked()).toBe(1);
  expect(await isGood(world, await valueOf(world, first))).toBe(true);
  expect(await asked()).toBe(2);
});
