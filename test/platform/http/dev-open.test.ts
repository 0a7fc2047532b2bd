import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/config.ts';
import { adminAccess } from '../../../src/platform/http/access/admin-access.ts';
import { rawAnswers, rawRequest } from '../../support/raw-http.ts';
import { startIsolatedWorld, type World } from '../../support/world.ts';

const admin = (headers: string[], host = 'Host: 127.0.0.1') =>
  rawRequest('GET /api/admin/stats HTTP/1.1', ['Connection: close', host, ...headers]);

/** A request as far as dev-open looks at it, from an address that no test can call from. */
const requestFrom = (remoteAddress: string | undefined, headers: object): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: { host: 'localhost', ...headers } }) as unknown as IncomingMessage;

const statusOf = async (world: World, bytes: string) => (await rawAnswers(world.port, bytes))[0]?.status;

test('without an admin token a call from this machine by a name of this machine may administer, and any sign of somebody else closes the door', async () => {
  await using world = await startIsolatedWorld({ env: { SERVICE_ADMIN_TOKEN: '' } });
  const open = [
    '127.0.0.1',
    `127.0.0.1:${world.port}`,
    'localhost',
    `localhost:${world.port}`,
    '[::1]',
    `[::1]:${world.port}`,
    '127.1.2.3',
  ];
  for (const host of open) expect(await statusOf(world, admin([], `Host: ${host}`)), host).toBe(200);

  const closedHosts = [
    'example.com',
    `rebinding.example.com:${world.port}`,
    'localhost.example.com',
    'example.com.localhost',
    '127.0.0.1.example.com',
    '127.0.0.1.nip.io',
    'a127.0.0.1',
    '1270.0.0.1',
    '127.0.0.1@example.com',
    'localhost:80:80',
    'localhost:a',
    'localhost.',
    '0.0.0.0',
    '10.0.0.1',
    '[::]',
    '[::ffff:10.0.0.1]',
    '[fe80::1]',
    '2130706433',
    '0x7f000001',
    '',
  ];
  for (const host of closedHosts) expect([400, 401], host).toContain(await statusOf(world, admin([], `Host: ${host}`)));

  const closedHeaders = [
    'Origin: http://127.0.0.1',
    `Origin: http://localhost:${world.port}`,
    'Origin: null',
    'Origin: http://example.com',
    'Forwarded: for=127.0.0.1',
    'X-Forwarded-For: 127.0.0.1',
    'X-Forwarded-For: 10.0.0.1',
    'X-Forwarded-For:',
    'x-forwarded-host: localhost',
    'X-FORWARDED-PROTO: https',
    'X-Real-IP: 127.0.0.1',
    'Via: 1.1 proxy',
    'Authorization: Bearer garbage',
    'Authorization:',
    `Authorization: Bearer ${world.adminToken}`,
  ];
  for (const header of closedHeaders) expect(await statusOf(world, admin([header])), header).toBe(401);
  expect(await statusOf(world, admin([`Authorization: Bearer ${world.orgToken}`]))).toBe(403);
});

test('dev-open lets nobody past the other doors: no path but those under /api/admin/ is open, however it is spelled', async () => {
  await using world = await startIsolatedWorld({ env: { SERVICE_ADMIN_TOKEN: '' } });
  const get = (path: string) => statusOf(world, rawRequest(`GET ${path} HTTP/1.1`, ['Connection: close']));
  for (const path of ['/api/whoami', '/api/sites', '/api/adminx/stats', '/api/administration', '/agent/enroll', '/api'])
    expect(await get(path), path).toBe(401);
  for (const path of ['/api/admin/../sites', '/api/admin/%2e%2e/sites', '//api/admin/stats', '/api/admin//stats'])
    expect(await get(path), path).toBe(400);
  // A robot of the org learns nothing of the service by it.
  expect(await statusOf(world, rawRequest('POST /api/admin/orgs HTTP/1.1', ['Connection: close']))).toBe(400);
});

test('an admin token that is set closes dev-open, and both values of a rotation are taken', async () => {
  const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];
  await using world = await startIsolatedWorld({ env: { SERVICE_ADMIN_TOKEN: `${first},${second}` } });
  expect(await statusOf(world, admin([]))).toBe(401);
  for (const [token, status] of [
    [first, 200],
    [second, 200],
    [`${first},${second}`, 401],
    [first.slice(1), 401],
    [`${first}a`, 401],
  ] as const)
    expect(await statusOf(world, admin([`Authorization: Bearer ${token}`])), token).toBe(status);
});

test('only a server that is bound to this machine alone, without a token and not in production, is dev-open', () => {
  const isOpen = (host: string, adminTokens: string[] = [], production = false) =>
    adminAccess({ adminTokens, host, production }).open;
  for (const host of ['127.0.0.1', 'localhost', '::1', '127.0.0.2']) expect(isOpen(host), host).toBe(true);
  for (const host of [
    '0.0.0.0',
    '::',
    '',
    '10.0.0.1',
    '192.168.1.2',
    'example.com',
    '::ffff:10.0.0.1',
    'localhost.example.com',
    'fe80::1',
    '1270.0.0.1',
  ])
    expect(isOpen(host), host).toBe(false);
  for (const host of ['127.0.0.1', '::1']) {
    expect(isOpen(host, ['a'.repeat(32)])).toBe(false);
    expect(isOpen(host, [], true)).toBe(false);
  }
});

test('dev-open asks where the call comes from, not what it says of itself', () => {
  const access = adminAccess({ adminTokens: [], host: '127.0.0.1', production: false });
  const from = (remoteAddress: string | undefined, headers: object = {}) =>
    access.letsIn(requestFrom(remoteAddress, headers));
  for (const address of ['127.0.0.1', '127.5.5.5', '::1', '::ffff:127.0.0.1'])
    expect(from(address), address).toBe(true);
  for (const address of [
    undefined,
    '',
    '10.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:127.0.0.1.evil',
    '::',
    'fe80::1',
    '1270.0.0.1',
  ])
    expect(from(address), address).toBe(false);
  for (const header of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'])
    expect(from('127.0.0.1', { [header]: '127.0.0.1' }), header).toBe(false);
  const closed = adminAccess({ adminTokens: [], host: '0.0.0.0', production: false });
  expect(closed.letsIn(requestFrom('127.0.0.1', {}))).toBe(false);
});

test('a server in production without an admin token, and one with a token that is too short, does not start', () => {
  const env = { DATABASE_URL: 'postgres://127.0.0.1/fleet' };
  expect(() => readConfig({ ...env, NODE_ENV: 'production' })).toThrow(ConfigError);
  expect(() => readConfig({ ...env, NODE_ENV: 'production', SERVICE_ADMIN_TOKEN: '' })).toThrow(/SERVICE_ADMIN_TOKEN/);
  for (const token of [
    'short',
    'a'.repeat(31),
    `${'a'.repeat(32)},short`,
    `${'a'.repeat(32)} `,
    ['a', 'b', 'c'].map((letter) => letter.repeat(32)).join(),
  ])
    expect(() => readConfig({ ...env, SERVICE_ADMIN_TOKEN: token }), token).toThrow(/SERVICE_ADMIN_TOKEN/);
  expect(readConfig({ ...env, NODE_ENV: 'production', SERVICE_ADMIN_TOKEN: 'a'.repeat(32) }).adminTokens).toHaveLength(
    1,
  );
});
