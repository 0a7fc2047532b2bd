import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { freePort } from '../../../support/free-port.ts';
import { bytes, fetching, firstOf, give, giveAll, recording, sha256 } from './fetching.ts';

const wrong = Buffer.from(bytes).fill(0, 0, 9);
const whole = async (path: string) => (await readFile(path)).equals(bytes);

/** What another host must never get. */
const secretsIn = ({ url, headers }: { url: string; headers: IncomingMessage['headers'] }) => ({
  authorization: headers.authorization,
  cookie: headers.cookie,
  hasToken: JSON.stringify([url, headers]).includes('svc-token'),
});
const none = { authorization: undefined, cookie: undefined, hasToken: false };

test('an artifact comes from the cache of the site, which gets no token, and the service is not asked', async () => {
  await using cache = await recording(giveAll);
  await using robot = await fetching(() => undefined, `${cache.url}/artifacts/`);
  await robot.fetch();
  expect(await whole(robot.path)).toBe(true);
  expect(cache.asked.map(({ url }) => url)).toEqual([`/artifacts/${sha256}`]);
  expect(cache.asked.map(secretsIn)).toEqual([none]);
  expect(robot.calls()).toBe(0);
});

test('a cache that fails is told once, and the service sends the artifact', async () => {
  const endings: [string, (request: IncomingMessage, response: ServerResponse) => void][] = [
    ['it responded with 404', (_request, response) => void response.writeHead(404).end()],
    ['it responded with 503', (_request, response) => void response.writeHead(503, { 'Retry-After': '60' }).end()],
    ['it responded with 302', (_request, response) => void response.writeHead(302, { Location: '/other' }).end()],
    ['it sent bytes with the SHA-256', (_request, response) => void response.end(wrong)],
    ['more than the 600000 bytes', (_request, response) => void response.end(Buffer.concat([bytes, wrong]))],
    ['socket hang up', (_request, response) => void response.destroy()],
  ];
  for (const [why, ending] of endings) {
    await using cache = await recording(ending);
    await using robot = await fetching(giveAll, cache.url);
    await robot.fetch();
    expect([why, await whole(robot.path), cache.calls(), robot.calls()]).toEqual([why, true, 1, 1]);
    expect(robot.told).toEqual([expect.stringContaining(why)]);
    expect(robot.told[0]).toMatch(
      /^artifact-cache: the artifact cache of the site failed: .*downloaded from the service$/,
    );
  }
  for (const address of [`http://127.0.0.1:${await freePort()}`, 'http://user:pass@127.0.0.1', 'ftp://127.0.0.1']) {
    await using robot = await fetching(giveAll, address);
    await robot.fetch();
    expect([await whole(robot.path), robot.told.length, robot.calls()]).toEqual([true, 1, 1]);
    expect(robot.told[0]).not.toContain('pass');
  }
});

test('a cache that breaks off again and again after a few bytes is left for the service', async () => {
  await using cache = await recording((request, response) =>
    give(request, response, firstOf(request.headers.range) + 1_000),
  );
  await using robot = await fetching(giveAll, cache.url);
  await robot.fetch();
  expect([await whole(robot.path), cache.calls(), robot.calls()]).toEqual([true, 3, 1]);
  expect(firstOf(robot.asked[0]?.headers.range)).toBe(3_000);
  expect(robot.told).toEqual([expect.stringMatching(/^artifact-cache: the artifact cache of the site failed: /)]);
});

test('a cache without a byte for 10 s is left for the service', async () => {
  await using cache = await recording(() => undefined);
  await using robot = await fetching(giveAll, cache.url);
  const real = globalThis.setTimeout;
  const sooner = ((run: () => void, ms?: number) => real(run, ms === 10_000 ? 100 : ms)) as typeof setTimeout;
  const clock = vi.spyOn(globalThis, 'setTimeout').mockImplementation(sooner);
  await robot.fetch().finally(() => clock.mockRestore());
  expect(await whole(robot.path)).toBe(true);
  expect(robot.told).toEqual([expect.stringContaining('no byte within 10 s')]);
});

test('a cache that breaks off is asked for the rest; a part of another file costs the download, not the order', async () => {
  await using cache = await recording((request, response, call) =>
    give(request, response, call === 0 ? 300_000 : undefined),
  );
  await using robot = await fetching(() => undefined, cache.url);
  await robot.fetch();
  expect(await whole(robot.path)).toBe(true);
  expect(firstOf(cache.asked[1]?.headers.range)).toBeGreaterThan(0);
  expect(cache.asked[1]?.headers['if-range']).toBeUndefined();
  await using short = await recording((_request, response) => void response.end(wrong.subarray(0, 100_000)));
  await using other = await fetching(giveAll, short.url);
  await other.fetch();
  expect(await whole(other.path)).toBe(true);
  // The second download begins anew, as the first bytes are from the cache.
  expect(other.asked.map(({ headers }) => headers.range)).toEqual(['bytes=100000-', undefined]);
});

test('an artifact that the service sends the agent for comes from the store, which gets no token', async () => {
  await using store = await recording(giveAll);
  await using robot = await fetching(
    (_request, response) => void response.writeHead(307, { Location: `${store.url}/key?X-Amz-Signature=5ec2e7` }).end(),
  );
  await writeFile(robot.path, bytes.subarray(0, 100_000));
  await robot.fetch();
  expect(await whole(robot.path)).toBe(true);
  expect(robot.asked[0]?.headers).toMatchObject({ authorization: 'Bearer svc-token', 'x-accept-redirect': 'true' });
  expect(store.asked.map(secretsIn)).toEqual([none]);
  expect(store.asked[0]?.headers).toMatchObject({ range: 'bytes=100000-' });
  expect(store.asked[0]?.headers['if-range']).toBeUndefined();
});

test('an address that expired is asked for again, also in the middle of a file', async () => {
  await using store = await recording((request, response) => {
    const address = new URL(request.url ?? '', 'http://store');
    if (address.searchParams.get('call') === '1') response.writeHead(403).end('<Code>AccessDenied</Code>');
    else give(request, response, address.searchParams.get('call') === '0' ? 300_000 : undefined);
  });
  await using robot = await fetching(
    (_request, response, call) => void response.writeHead(307, { Location: `${store.url}/key?call=${call}` }).end(),
  );
  await robot.fetch();
  expect(await whole(robot.path)).toBe(true);
  expect(store.asked.map(({ url }) => url)).toEqual(['/key?call=0', '/key?call=1', '/key?call=2']);
  expect(firstOf(store.asked[2]?.headers.range)).toBeGreaterThan(0);
  expect(robot.told).toEqual(['artifact-store: the download from the object store serves artifacts again']);
});

test('a store that fails twice is left for the service, and its address is in no message', async () => {
  const unusable = [
    `http://127.0.0.1:${await freePort()}/key?X-Amz-Signature=5ec2e7`,
    'file:///etc/passwd?X-Amz-Signature=5ec2e7',
  ];
  for (const address of unusable) {
    await using robot = await fetching((request, response) => {
      if (request.headers['x-accept-redirect'] !== 'true') give(request, response);
      else response.writeHead(307, { Location: address }).end();
    });
    await robot.fetch();
    expect(await whole(robot.path)).toBe(true);
    expect(robot.asked.map(({ headers }) => headers['x-accept-redirect'])).toEqual(['true', 'true', undefined]);
    expect(robot.told).toHaveLength(1);
    expect(robot.told[0]).toMatch(/^artifact-store: the download from the object store failed: /);
    expect(robot.told[0]).not.toContain('5ec2e7');
  }
  await using store = await recording((_request, response) => void response.end(wrong));
  await using robot = await fetching((request, response) => {
    if (request.headers['x-accept-redirect'] !== 'true') give(request, response);
    else response.writeHead(307, { Location: store.url }).end();
  });
  await robot.fetch();
  expect([await whole(robot.path), store.calls(), robot.calls()]).toEqual([true, 1, 2]);
  expect(robot.told).toEqual([expect.stringContaining('it sent bytes with the SHA-256')]);
});
