import { writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { artifactStorage, artifactUpkeep } from '../../src/artifacts/service.ts';
import { cut, get, incoming, octets, part, put, released, sha256 } from '../support/artifacts.ts';
import { factories } from '../support/factories.ts';
import { startIsolatedWorld, startWorld } from '../support/world.ts';

test('an artifact that a release describes is stored once all of it came, and given to users and robots of the org', async () => {
  await using world = await startIsolatedWorld();
  const { bytes, path } = await released(world, 3_000_000);
  expect((await get(world, path)).status).toBe(404);
  expect((await world.call('HEAD', path)).headers.get('upload-offset')).toBe('0');
  const { status, body } = await put(world, path, bytes);
  expect([status, body.data]).toEqual([
    200,
    { artifact_sha256: sha256(bytes), artifact_size: 3_000_000, received: 3_000_000, complete: true },
  ]);
  const make = factories(world);
  const robot = (await make.robot('amr-1')) as unknown as { robot_token: string };
  for (const token of [world.orgToken, robot.robot_token]) {
    const got = await get(world, path, {}, token);
    expect(got.bytes.equals(bytes)).toBe(true);
    expect(Object.fromEntries(got.headers)).toMatchObject({
      etag: `"${sha256(bytes)}"`,
      'content-length': '3000000',
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
    });
  }
  const head = await world.call('HEAD', path);
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '3000000']);
  expect(await incoming(world)).toEqual([]);
});

test('a range is given as asked for, If-Range decides, and what is no range is answered with the whole', async () => {
  await using world = await startWorld();
  const { bytes, path } = await released(world, 1_000);
  await put(world, path, bytes);
  const tag = `"${sha256(bytes)}"`;
  const table: [Record<string, string>, number, number, number][] = [
    [{ Range: 'bytes=0-0' }, 206, 0, 1],
    [{ Range: 'bytes=10-19' }, 206, 10, 20],
    [{ Range: 'bytes=990-' }, 206, 990, 1_000],
    [{ Range: 'bytes=990-99999' }, 206, 990, 1_000],
    [{ Range: 'bytes=-7' }, 206, 993, 1_000],
    [{ Range: 'bytes=-5000' }, 206, 0, 1_000],
    [{ Range: 'bytes=10-19', 'If-Range': tag }, 206, 10, 20],
    [{ Range: 'bytes=10-19', 'If-Range': '"other"' }, 200, 0, 1_000],
    [{ Range: 'bytes=10-19,30-39' }, 200, 0, 1_000],
    [{ Range: 'bytes=19-10' }, 200, 0, 1_000],
    [{ Range: 'bytes=-' }, 200, 0, 1_000],
    [{ Range: 'lines=1-2' }, 200, 0, 1_000],
  ];
  for (const [headers, status, from, to] of table) {
    const got = await get(world, path, headers);
    expect([headers, got.status, got.bytes.equals(bytes.subarray(from, to))]).toEqual([headers, status, true]);
    expect(got.headers.get('content-range')).toBe(status === 206 ? `bytes ${from}-${to - 1}/1000` : null);
  }
  for (const range of ['bytes=1000-', 'bytes=5000-6000', 'bytes=-0']) {
    const { status, headers } = await world.call('GET', path, { headers: { Range: range } });
    expect([range, status, headers.get('content-range')]).toEqual([range, 416, 'bytes */1000']);
  }
});

test('an upload that is cut goes on where it stopped, through parts and over a restart', async () => {
  await using world = await startIsolatedWorld();
  const { bytes, path } = await released(world, 2_000_000);
  await cut(world, path, bytes, 700_000);
  const more = part(bytes, 700_000, 1_299_999);
  await expect.poll(async () => (await put(world, path, more.body, more.headers)).status).toBe(200);
  expect((await get(world, path)).status).toBe(404);
  await using other = await startIsolatedWorld({ shares: world });
  expect((await other.call('HEAD', path)).headers.get('upload-offset')).toBe('1300000');
  const rest = part(bytes, 1_300_000, 1_999_999);
  expect((await put(other, path, rest.body, rest.headers)).body.data).toMatchObject({ complete: true });
  expect((await get(world, path)).bytes.equals(bytes)).toBe(true);
});

test('a part that begins elsewhere is refused with where to go on, and a body without a range begins anew', async () => {
  await using world = await startWorld();
  const { bytes, path } = await released(world, 1_000);
  const first = part(bytes, 0, 399);
  expect((await put(world, path, first.body, first.headers)).body.data).toMatchObject({
    received: 400,
    complete: false,
  });
  for (const [from, to] of [
    [300, 999],
    [500, 999],
  ] as const) {
    const wrong = part(bytes, from, to);
    const { status, body } = await put(world, path, wrong.body, wrong.headers);
    expect([status, body.error.message]).toEqual([409, '400 bytes are stored: resume from there']);
  }
  expect((await put(world, path, bytes)).body.data).toMatchObject({ complete: true });
});

test('an upload that named a greater size than the artifact has leaves nothing behind its end', async () => {
  await using world = await startWorld();
  const { bytes, path } = await released(world, 1_000);
  const wrong = { tag: 'wrong', artifact_sha256: sha256(bytes), artifact_size: 1_200 };
  expect((await world.call('POST', '/api/releases', { body: wrong })).status).toBe(201);
  const longer = part(Buffer.concat([bytes, Buffer.alloc(200)]), 0, 1_099);
  expect((await put(world, path, longer.body, longer.headers)).body.data).toMatchObject({ received: 1_100 });
  const last = part(bytes, 999, 999);
  expect((await put(world, path, last.body, last.headers)).body.data).toMatchObject({ complete: true });
  const got = await get(world, path);
  expect([got.status, got.bytes.equals(bytes)]).toEqual([200, true]);
});

test('an artifact that was damaged on the disk is replaced by one that is sent whole', async () => {
  await using world = await startWorld();
  const { bytes, path } = await released(world, 1_000);
  await put(world, path, bytes);
  const kept = join(world.dataDir, 'artifacts', world.orgId, sha256(bytes));
  await writeFile(kept, Buffer.from(bytes).fill(0, 10, 20));
  expect((await put(world, path, Buffer.alloc(1_000))).status).toBe(400);
  expect((await put(world, path, bytes)).body.data).toMatchObject({ complete: true });
  expect((await get(world, path)).bytes.equals(bytes)).toBe(true);
});

test('what is not the artifact is refused in a sentence, and nothing of it is left', async () => {
  await using world = await startIsolatedWorld();
  const { bytes, path } = await released(world, 1_000);
  const changed = Buffer.from(bytes).fill(0, 10, 20);
  const table: [Buffer, Record<string, string>, number, RegExp][] = [
    [changed, {}, 400, /^the SHA-256 of the received bytes is [0-9a-f]{64}$/],
    [bytes.subarray(0, 999), {}, 400, /^the artifact of the release has 1000 bytes, not 999$/],
    [Buffer.concat([bytes, bytes]), {}, 400, /^the artifact of the release has 1000 bytes, not 2000$/],
    [bytes, { 'Content-Range': 'bytes 0-999/2000' }, 400, /has 1000 bytes, not 2000$/],
    [bytes, { 'Content-Range': 'bytes 0-99/1000' }, 400, /^Content-Range names 100 bytes, the body has 1000$/],
    [bytes, { 'Content-Range': 'bytes 5-4/1000' }, 400, /^Content-Range: must be like/],
    [bytes, { 'Content-Range': 'bytes 0-1000/1000' }, 400, /^Content-Range: must be like/],
    [bytes, { 'Content-Type': 'text/plain' }, 415, /^Content-Type must be application\/octet-stream$/],
    [bytes, { 'Content-Encoding': 'gzip' }, 415, /must not have a Content-Encoding$/],
  ];
  for (const [body, headers, status, message] of table) {
    const refused = await put(world, path, body, headers);
    expect([refused.status, refused.body.error.message]).toEqual([status, expect.stringMatching(message)]);
  }
  const unknown = await put(world, `/api/artifacts/${'0'.repeat(64)}`, bytes);
  expect([unknown.status, unknown.body.error.message]).toEqual([404, 'release with this artifact not found']);
  expect((await world.call('PUT', '/api/artifacts/ABC', { body: bytes, headers: octets })).status).toBe(400);
  expect(await incoming(world)).toEqual([]);
  expect((await get(world, path)).status).toBe(404);
});

test('a body without a length ends where the artifact ends: one that is shorter or goes on is refused', async () => {
  await using world = await startWorld();
  const { bytes, path } = await released(world, 100_000);
  const chunked = (body: Buffer) =>
    new Promise<number>((resolve, reject) => {
      const headers = { ...octets, Authorization: `Bearer ${world.orgToken}`, 'Transfer-Encoding': 'chunked' };
      const request = httpRequest(`${world.url}${path}`, { method: 'PUT', headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      request.on('error', reject);
      request.end(body);
    });
  expect(await chunked(Buffer.concat([bytes, Buffer.alloc(10)]))).toBe(400);
  expect(await chunked(bytes.subarray(0, 99_999))).toBe(400);
  expect(await chunked(bytes)).toBe(200);
});

test('two that upload the same artifact at once do not mix: one is told to wait', async () => {
  await using world = await startWorld();
  const { bytes, path } = await released(world, 2_000_000);
  const slow = httpRequest(`${world.url}${path}`, {
    method: 'PUT',
    headers: { ...octets, Authorization: `Bearer ${world.orgToken}`, 'Content-Length': String(bytes.length) },
  });
  const answered = new Promise<number>((resolve) => slow.on('response', ({ statusCode = 0 }) => resolve(statusCode)));
  slow.write(bytes.subarray(0, 500_000));
  await expect.poll(async () => (await world.call('HEAD', path)).headers.get('upload-offset')).toBe('500000');
  const { status, headers, body } = await put(world, path, bytes);
  expect([status, headers.get('retry-after'), body.error.message]).toEqual([
    409,
    '5',
    'another request is uploading this artifact',
  ]);
  slow.end(bytes.subarray(500_000));
  expect(await answered).toBe(200);
  expect((await put(world, path, bytes)).body.data).toMatchObject({ complete: true });
});

test('what another org uploaded is not found, and does not spare the own upload', async () => {
  await using world = await startWorld();
  const { bytes, path } = await released(world, 1_000);
  await put(world, path, bytes);
  const other = await factories(world).org('Other');
  const as = (method: string, options: object = {}) => world.call(method, path, { token: other.token, ...options });
  expect((await as('GET')).status).toBe(404);
  expect((await as('HEAD')).status).toBe(404);
  expect((await as('PUT', { body: bytes, headers: octets })).status).toBe(404);
  await as('POST'); // no such operation
  await world.call('POST', '/api/releases', {
    token: other.token,
    body: { tag: 'theirs', artifact_sha256: sha256(bytes), artifact_size: 1_000 },
  });
  expect((await as('GET')).status).toBe(404);
  expect((await as('HEAD')).headers.get('upload-offset')).toBe('0');
});

test('an artifact of no bytes is one as well', async () => {
  await using world = await startWorld();
  const { bytes, path } = await released(world, 0);
  expect((await put(world, path, bytes)).body.data).toMatchObject({ complete: true, received: 0 });
  const got = await get(world, path);
  expect([got.status, got.bytes.length]).toEqual([200, 0]);
});

test('what is left of an upload goes after a day, and an artifact never', async () => {
  await using world = await startIsolatedWorld();
  const [whole, left] = [await released(world, 1_000), await released(world, 1_000)];
  await put(world, whole.path, whole.bytes);
  const begun = part(left.bytes, 0, 9);
  await put(world, left.path, begun.body, begun.headers);
  const shelf = await artifactStorage({ dataDir: world.dataDir, s3: undefined });
  await artifactUpkeep(world.db, shelf);
  expect(await incoming(world)).toHaveLength(1);
  await shelf.uploads.discardOlder(-1);
  expect(await incoming(world)).toEqual([]);
  expect((await get(world, whole.path)).status).toBe(200);
});
