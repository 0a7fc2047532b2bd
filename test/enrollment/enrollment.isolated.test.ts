import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { startIsolatedWorld, startWorld, type World } from '../support/world.ts';

const nonce = () => randomUUID().replaceAll('-', '');
const enroll = (world: World, token: string, body: object = {}) => world.call('POST', '/agent/enroll', { token, body });
const refusal = { error: { code: 'unauthorized', message: 'enrollment key unknown, expired, revoked or used up' } };

test.each([1, 2, 5])('a key of %i uses enrolls exactly so many of 64 robots that come at once', async (maxUses) => {
  await using world = await startWorld();
  const key = await factories(world).key({ max_uses: maxUses });
  const answers = await Promise.all(Array.from({ length: 64 }, () => enroll(world, key.value)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(maxUses);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(64 - maxUses);
  expect(await world.count('robots')).toBe(maxUses);
  const [listed] = (await world.call('GET', '/api/enrollment-keys')).body.items;
  expect(listed).toMatchObject({ uses: maxUses, max_uses: maxUses, last_used_at: expect.any(String) });
});

test('two servers on one database count the uses of a key together', async () => {
  await using first = await startIsolatedWorld();
  await using second = await startIsolatedWorld({ shares: first });
  const key = await factories(first).key({ max_uses: 3 });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => enroll(index % 2 ? first : second, key.value)),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(await first.count('robots')).toBe(3);
});

test('a retry with the same nonce is the same robot with a new token, burns no second use and revokes the lost token', async () => {
  await using world = await startWorld();
  const key = await factories(world).key({ max_uses: 1 });
  const body = { name: 'amr-007', nonce: nonce() };
  const first = await enroll(world, key.value, body);
  const second = await enroll(world, key.value, body);
  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.body.data.robot_id).toBe(first.body.data.robot_id);
  expect(second.body.data.robot_token).not.toBe(first.body.data.robot_token);
  expect(await world.count('robots')).toBe(1);
  // A robot token may call nothing of the API yet; a revoked one is not even known.
  expect((await world.call('GET', '/api/whoami', { token: first.body.data.robot_token })).status).toBe(401);
  expect((await world.call('GET', '/api/whoami', { token: second.body.data.robot_token })).status).toBe(403);
  expect((await enroll(world, key.value, { nonce: nonce() })).body).toEqual(refusal);
});

test('sixteen retries with one nonce at once make one robot', async () => {
  await using world = await startWorld();
  const key = await factories(world).key({ max_uses: 2 });
  const body = { nonce: nonce() };
  const answers = await Promise.all(Array.from({ length: 16 }, () => enroll(world, key.value, body)));
  expect(new Set(answers.map((answer) => answer.body.data.robot_id)).size).toBe(1);
  expect((await world.call('GET', '/api/enrollment-keys')).body.items[0].uses).toBe(1);
});

test('unknown, revoked, expired and used-up keys answer alike, to the header', async () => {
  // Other tests use up the refusals that an address of a shared one may have.
  await using world = await startIsolatedWorld();
  const made = factories(world);
  const [revoked, expired, spent] = [
    await made.key(),
    await made.key({ expires_in_hours: 1 }),
    await made.key({ max_uses: 1 }),
  ];
  await world.call('POST', `/api/enrollment-keys/${revoked.id}/revoke`);
  await world
    .db('enrollment_keys')
    .where({ id: expired.id })
    .update({ expires_at: world.db.raw("now() - interval '1 second'") });
  await enroll(world, spent.value);
  const unknown = `svc_enroll_${'0'.repeat(64)}`;
  const answers = [];
  for (const token of [unknown, revoked.value, expired.value, spent.value]) answers.push(await enroll(world, token));
  for (const answer of answers) {
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(refusal);
    expect([...answer.headers.keys()]).toEqual([...(answers[0]?.headers.keys() ?? [])]);
  }
  expect(await world.count('robots')).toBe(1);
});

test('the org learns why its key was refused, once a minute however often it is tried', async () => {
  await using world = await startWorld();
  const key = await factories(world).key();
  await world.call('POST', `/api/enrollment-keys/${key.id}/revoke`);
  await world.db('enrollment_keys').where({ id: key.id }).update({ refused_at: '2100-01-01' }); // by a clock that was set back
  for (let tries = 0; tries < 5; tries += 1) await enroll(world, key.value);
  const entries = async () => (await world.call('GET', '/api/audit?operation=enrollAgent')).body.items;
  await expect.poll(entries).toEqual([expect.objectContaining({ object_id: key.id, after: { refused: 'revoked' } })]);
});

test('a key whose expiry is 0 or absent never expires, and the value is shown once only', async () => {
  await using world = await startWorld();
  const made = factories(world);
  for (const options of [{ expires_in_hours: 0 }, {}]) expect(await made.key(options)).not.toHaveProperty('expires_at');
  const day = await made.key({ expires_in_hours: 24 });
  expect(Date.parse(day.expires_at) - Date.parse(day.created_at)).toBe(24 * 3_600_000);
  const { text } = await world.call('GET', '/api/enrollment-keys');
  expect(text).not.toContain('svc_enroll_');
});

test('a fleet of another site is refused, an unknown site or fleet is not found', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const [site, fleet] = [await made.site(), await made.fleet()];
  const create = (body: object) => world.call('POST', '/api/enrollment-keys', { body });
  expect((await create({ site_id: site.id, fleet_id: fleet.id })).body.error).toEqual({
    code: 'bad_request',
    message: 'body.fleet_id: the fleet is at another site',
  });
  expect((await create({ site_id: randomUUID(), fleet_id: fleet.id })).body.error.message).toBe('site not found');
  expect((await create({ site_id: fleet.site_id, fleet_id: 'x' })).body.error.message).toBe('fleet not found');
  expect(await world.count('enrollment_keys')).toBe(0);
});

test.each([
  { max_uses: 0 },
  { max_uses: 1.5 },
  { max_uses: '3' },
  { expires_in_hours: -1 },
  { expires_in_hours: 87_601 },
  { label: '' },
  { uses: 0 },
])('a key with %j is refused', async (options) => {
  await using world = await startWorld();
  const fleet = await factories(world).fleet();
  const answer = await world.call('POST', '/api/enrollment-keys', {
    body: { site_id: fleet.site_id, fleet_id: fleet.id, ...options },
  });
  expect(answer.status).toBe(400);
});

test('an enrollment without a body names the robot by its id', async () => {
  await using world = await startWorld();
  const key = await factories(world).key();
  const { body } = await world.call('POST', '/agent/enroll', { token: key.value });
  expect(body.data.robot_name).toBe(`robot-${body.data.robot_id.slice(-6)}`);
});
