import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { transferSlots } from '../../src/platform/http/dispatch/limits.ts';
import { octets, put, released } from '../support/artifacts.ts';
import { factories } from '../support/factories.ts';
import { startIsolatedWorld, startWorld, type World } from '../support/world.ts';

/** Asks for a file and reads nothing of it. */
async function stalled(world: World, path: string, token: string) {
  const request = httpRequest(`${world.url}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  const [response] = (await once(request.end(), 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return { status: response.statusCode, headers: response.headers, end: () => response.destroy() };
}

test('a robot token has 8 downloads at a time: the ninth gets 429 with Retry-After, other tokens go on, and an ended one makes room', async () => {
  await using world = await startWorld();
  const { bytes, path } = await released(world, 16_000_000);
  await put(world, path, bytes);
  const robot = (await factories(world).robot()) as { robot_token: string };
  const downloads = await Promise.all(Array.from({ length: 8 }, () => stalled(world, path, robot.robot_token)));
  expect(downloads.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  const refused = await world.call('GET', path, { token: robot.robot_token });
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'http_error' } } });
  expect(refused.body.error.message).toContain('8 transfers of this token');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await world.call('HEAD', path, { token: robot.robot_token })).status).toBe(200);
  const other = await stalled(world, path, world.orgToken);
  expect(other.status).toBe(200);
  other.end();
  downloads[0]?.end();
  const first = { Range: 'bytes=0-9' };
  await expect
    .poll(async () => (await world.call('GET', path, { token: robot.robot_token, headers: first })).status)
    .toBe(206);
  for (const each of downloads) each.end();
});

test('a user or org token has 32 transfers at a time, and an org 256 of all its tokens', () => {
  const slots = transferSlots();
  const take = (token: string, orgId = 'org') => slots.take(token, orgId, 'user');
  const frees = Array.from({ length: 32 }, () => take('a'));
  expect(() => take('a')).toThrow('32 transfers of this token');
  for (let token = 0; token < 7; token += 1) for (let each = 0; each < 32; each += 1) take(`token ${token}`);
  expect(() => take('b')).toThrow('256 transfers of this org');
  expect(() => slots.take('robot', 'org', 'robot')).toThrow('256 transfers of this org');
  expect(() => take('a', 'other')).toThrow('32 transfers of this token');
  take('b', 'other');
  frees[0]?.();
  frees[0]?.();
  take('b');
  expect(() => take('b')).toThrow('256 transfers of this org');
});

test('an upload that trickles gets 408 after its first minute, keeps what came, and no longer blocks another upload of the same file', async () => {
  await using world = await startIsolatedWorld({ fileSilenceMs: 300 });
  const { bytes, path } = await released(world, 100_000);
  const headers = { ...octets, Authorization: `Bearer ${world.orgToken}`, 'Content-Length': bytes.length };
  const request = httpRequest(`${world.url}${path}`, { method: 'PUT', headers });
  request.on('error', () => undefined);
  let sent = 0;
  const trickle = setInterval(() => request.write(bytes.subarray(sent, ++sent)), 20);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  clearInterval(trickle);
  expect(response.statusCode).toBe(408);
  await expect
    .poll(async () => Number((await world.call('HEAD', path)).headers.get('upload-offset')))
    .toBeGreaterThan(0);
  await expect.poll(async () => (await put(world, path, bytes)).status).toBe(200);
});
