import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openStream } from '../../support/dial-back.ts';
import { factories } from '../../support/factories.ts';
import { startIsolatedWorld, startWorld, type Answer, type World } from '../../support/world.ts';
import { promptMs } from '../../support/until.ts';

const unknownToken = (kind: string) => `svc_${kind}_${randomBytes(32).toString('hex')}`;
const unknownKey = () => unknownToken('enroll');
const read = (world: World, token?: string, headers: Record<string, string> = {}) =>
  world.call('GET', '/api/whoami', { token, headers });

/** Calls until one is refused; gives how many were taken and the refusal. */
async function exhaust(call: () => Promise<Answer>, most: number): Promise<{ taken: number; refusal: Answer }> {
  for (let taken = 0; taken <= most; taken += 1) {
    const answer = await call();
    if (answer.status === 429) return { taken, refusal: answer };
  }
  throw new Error(`none of ${most} calls was refused`);
}

test('a token that calls too often is told so, with the time to wait, and is let in again after it', async () => {
  await using world = await startIsolatedWorld({ env: { RATE_LIMIT: '5/2' } });
  const first = await read(world);
  expect(first.headers.get('ratelimit-policy')).toBe('"reads";q=25;w=5');
  expect(first.headers.get('ratelimit')).toMatch(/^"reads";r=2\d;t=\d$/);

  const { refusal } = await exhaust(() => read(world), 200);
  expect(refusal.body).toEqual({ error: { code: 'http_error', message: 'rate limit reached' } });
  expect(refusal.headers.get('ratelimit')).toMatch(/^"reads";r=0;t=5$/);
  const waitSeconds = Number(refusal.headers.get('retry-after'));
  expect(waitSeconds).toBe(1);
  expect(refusal.headers.get('x-service-org-id')).toBe(world.orgId);
  await expect
    .poll(async () => (await read(world)).status, { timeout: waitSeconds * 1_000 + promptMs, interval: 250 })
    .toBe(200);
});

test('reads and writes are counted apart, and each token for itself, also of one user', async () => {
  await using world = await startIsolatedWorld({ env: { RATE_LIMIT: '5/2' } });
  const make = factories(world);
  const user = await make.user('viewer');
  const issue = async () =>
    (await world.call('POST', `/api/users/${user.id}/tokens`, { body: {} })).body.data.value as string;
  const [one, two] = [await issue(), await issue()];
  const { taken } = await exhaust(() => read(world, one), 200);
  expect(taken).toBeGreaterThanOrEqual(25);
  expect((await read(world, two)).status).toBe(200);
  expect((await read(world)).status).toBe(200);

  // A viewer may not write, and is counted all the same: a refusal costs us as much.
  const writes = await exhaust(() => world.call('POST', '/api/sites', { token: two, body: { name: 'a' } }), 100);
  expect(writes.taken).toBeGreaterThanOrEqual(10);
  expect(writes.refusal.headers.get('ratelimit-policy')).toBe('"writes";q=10;w=5');
  expect((await read(world, two)).status).toBe(200);
});

test('a live stream that is opened counts as a read of its token', async () => {
  await using world = await startIsolatedWorld({ env: { RATE_LIMIT: '1/1' } });
  const address = `${world.url}/api/robots/${randomUUID()}/logs/ws`;
  const open = () => openStream(address, { token: world.orgToken }).catch((refusal: unknown) => refusal);
  const refusals = await Promise.all(Array.from({ length: 20 }, open));
  expect(refusals).toContainEqual(expect.objectContaining({ status: 404 }));
  const message = expect.stringContaining('rate limit reached') as string;
  expect(refusals).toContainEqual(expect.objectContaining({ status: 429, retryAfter: '1', message }));
});

test('no header that a caller makes up moves it out of its own count', async () => {
  await using world = await startIsolatedWorld({ env: { RATE_LIMIT: '1/1' } });
  await exhaust(() => read(world), 50);
  let refused = 0;
  for (let last = 1; last <= 8; last += 1) {
    const forged = {
      'X-Forwarded-For': `10.0.0.${last}`,
      Forwarded: `for=10.0.0.${last}`,
      'X-Real-IP': `10.0.0.${last}`,
      'X-Request-Id': `r${last}`,
    };
    if ((await read(world, undefined, forged)).status === 429) refused += 1;
  }
  // A second may pass meanwhile, and with it one call.
  expect(refused).toBeGreaterThanOrEqual(6);
});

test('after ten unknown enrollment keys in a minute an address is told to wait, whatever it says of where it comes from; keys that exist are not its business', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const key = await make.key();
  const revoked = await make.key();
  await world.call('POST', `/api/enrollment-keys/${revoked.id}/revoke`);
  const enroll = (token: string, from = '10.0.0.1') =>
    world.call('POST', '/agent/enroll', { token, body: {}, headers: { 'X-Forwarded-For': from } });

  for (let tries = 0; tries < 15; tries += 1) expect((await enroll(revoked.value)).status).toBe(401);
  for (let tries = 0; tries < 10; tries += 1) expect((await enroll(unknownKey(), `10.0.1.${tries}`)).status).toBe(401);
  const refusal = await enroll(unknownKey(), '10.0.2.1');
  expect(refusal.status).toBe(429);
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(Number(refusal.headers.get('retry-after'))).toBeLessThanOrEqual(6);
  expect(refusal.headers.get('x-service-org-id')).toBeNull();
  // The same count for every path that such a key is tried on.
  expect((await world.call('GET', '/api/robots', { token: unknownKey() })).status).toBe(429);

  expect((await enroll(key.value)).status).toBe(201);
  expect((await enroll(revoked.value)).status).toBe(401);
  expect((await read(world)).status).toBe(200);
});

test('behind a proxy that is trusted the address is the one that the proxy names', async () => {
  await using world = await startIsolatedWorld({ env: { TRUST_PROXY: '127.0.0.1/32' } });
  const enroll = (from: string) =>
    world.call('POST', '/agent/enroll', { token: unknownKey(), body: {}, headers: { 'X-Forwarded-For': from } });
  for (let tries = 0; tries < 10; tries += 1) expect((await enroll('10.0.0.1')).status).toBe(401);
  expect((await enroll('10.0.0.1')).status).toBe(429);
  // What stands before the last address was said by the caller.
  expect((await enroll('10.9.9.9, 10.0.0.1')).status).toBe(429);
  expect((await enroll('10.0.0.2')).status).toBe(401);
});

test('an address that tries unknown tokens, of whatever kind and on whatever path, is told to wait; good tokens from there go on', async () => {
  await using world = await startIsolatedWorld({ env: { RATE_LIMIT: '200/50' } });
  const userToken = await factories(world).userToken('viewer');
  const bearers = ['user', 'org', 'robot'].map((kind) => () => unknownToken(kind));
  bearers.push(() => randomBytes(24).toString('hex')); // a guess at the admin token
  let turn = 0;
  const guess = () => {
    turn += 1;
    const token = bearers[turn % bearers.length]?.();
    return world.call('GET', turn % 2 ? '/api/whoami' : '/api/admin/stats', { token });
  };
  const { taken, refusal } = await exhaust(guess, 1_000);
  expect(taken).toBeGreaterThanOrEqual(50);
  expect(refusal.body).toEqual({ error: { code: 'http_error', message: 'too many unknown tokens from this address' } });
  expect(refusal.headers.get('retry-after')).toBe('1');
  expect(refusal.headers.get('x-service-org-id')).toBeNull();

  for (const token of [world.orgToken, userToken]) expect((await read(world, token)).status).toBe(200);
  expect((await world.call('GET', '/api/admin/stats', { token: world.adminToken })).status).toBe(200);
  await expect.poll(async () => (await read(world, unknownToken('user'))).status, { interval: 300 }).toBe(401);
});

test('unknown tokens are counted by the address that a trusted proxy names, and not at all while limits are off', async () => {
  await using limited = await startIsolatedWorld({ env: { RATE_LIMIT: '200/50', TRUST_PROXY: '127.0.0.1/32' } });
  const guess = (world: World, from: string) => read(world, unknownToken('user'), { 'X-Forwarded-For': from });
  await exhaust(() => guess(limited, '10.0.0.1'), 1_000);
  expect((await guess(limited, '10.0.0.2')).status).toBe(401);
  // Whoever has one IPv6 address has 2^64 of them.
  let last = 0;
  await exhaust(() => guess(limited, `2001:db8:0:1::${(last += 1).toString(16)}`), 1_000);
  expect((await guess(limited, '2001:db8:0:2::1')).status).toBe(401);

  await using open = await startWorld();
  await expect(exhaust(() => guess(open, '10.0.0.1'), 100)).rejects.toThrow('none of 100 calls was refused');
});
