import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { createLogger } from '../../src/platform/logging.ts';
import { get, put, released } from '../support/artifacts.ts';
import { factories } from '../support/factories.ts';
import { startS3Store, type S3Store } from '../support/s3-store.ts';
import { testWith } from '../support/tools.ts';
import { startIsolatedWorld } from '../support/world.ts';

let store: S3Store;
beforeAll(async () => {
  store = await startS3Store();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const follows = { 'X-Accept-Redirect': 'true' };

/** A world with a robot and an artifact in a bucket of its own. */
async function storing(size: number, more: (endpoint: string) => Record<string, string>) {
  const env = await store.bucket(`bucket-${randomBytes(4).toString('hex')}`);
  const world = await startIsolatedWorld({ env: { ...env, ...more(env['S3_ENDPOINT'] ?? '') } });
  const { robot_token: token } = (await factories(world).robot('amr-1')) as unknown as { robot_token: string };
  const { bytes, path } = await released(world, size);
  await put(world, path, bytes);
  const ask = (headers: Record<string, string>) =>
    fetch(`${world.url}${path}`, { redirect: 'manual', headers: { Authorization: `Bearer ${token}`, ...headers } });
  return Object.assign(world, { bytes, path, token, ask });
}

testWith('python3-swift')(
  'a robot that follows redirects is sent to the store, for its file only and for 5 minutes; others get the bytes',
  async () => {
    const publicly = (endpoint: string) => endpoint.replace('127.0.0.1', 'localhost');
    await using world = await storing(100_000, (endpoint) => ({
      S3_DIRECT_DOWNLOADS: '1',
      S3_PUBLIC_ENDPOINT: publicly(endpoint),
    }));
    const sent = await world.ask({ ...follows, Range: 'bytes=5-' });
    const address = new URL(sent.headers.get('location') ?? '');
    expect([sent.status, sent.headers.get('cache-control'), await sent.text()]).toEqual([307, 'no-store', '']);
    expect([address.hostname, address.searchParams.get('X-Amz-Expires')]).toEqual(['localhost', '300']);
    expect(address.href).not.toContain(world.token);
    expect(Buffer.from(await (await fetch(address)).arrayBuffer()).equals(world.bytes)).toBe(true);
    const rest = await fetch(address, { headers: { Range: 'bytes=99990-' } });
    expect(rest.headers.get('content-range')).toBe('bytes 99990-99999/100000');
    expect(Buffer.from(await rest.arrayBuffer()).equals(world.bytes.subarray(99_990))).toBe(true);
    expect((await fetch(address, { method: 'PUT', body: 'other' })).status).toBe(403);
    expect((await fetch(address.href.replace(world.orgId, randomBytes(8).toString('hex')))).status).toBe(403);
    expect((await get(world, world.path, {}, world.token)).bytes.equals(world.bytes)).toBe(true);
    const signature = address.searchParams.get('X-Amz-Signature') ?? '';
    expect(world.lines.some((line) => line.includes('"status":307'))).toBe(true);
    expect(world.lines.join('\n')).not.toContain(signature);
    const lines: string[] = [];
    createLogger('info', [], (line) => void lines.push(line)).info({ address }, 'an address that slipped into a line');
    expect(lines[0]).toContain('X-Amz-Signature=[redacted]');
    expect(lines[0]).not.toContain(signature);
  },
);

testWith('python3-swift')('without the setting, a robot that follows redirects gets the bytes', async () => {
  await using world = await storing(1_000, () => ({}));
  expect((await world.ask(follows)).status).toBe(200);
});

testWith('python3-swift')('a download from the store takes none of the transfers of a replica', async () => {
  await using world = await storing(8_000_000, () => ({ S3_DIRECT_DOWNLOADS: '1' }));
  const stalled = await Promise.all(Array.from({ length: 8 }, () => world.ask({})));
  expect(stalled.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect((await world.ask({})).status).toBe(429);
  for (let asked = 0; asked < 20; asked += 1) expect((await world.ask(follows)).status).toBe(307);
  for (const { body } of stalled) await body?.cancel();
});
