import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { artifactStorage, artifactUpkeep } from '../../src/artifacts/service.ts';
import { cut, get, incoming, octets, part, put, released, sha256 } from '../support/artifacts.ts';
import { startServer } from '../support/server-process.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';
import { addressOf, startIsolatedWorld, startWorld, type World } from '../support/world.ts';

/** An upload whose body is given as the test likes. */
function uploading(world: World, path: string, bytes: number) {
  const headers = { ...octets, Authorization: `Bearer ${world.orgToken}`, 'Content-Length': String(bytes) };
  const request = httpRequest(`${world.url}${path}`, { method: 'PUT', headers });
  request.on('error', () => undefined);
  const answer = once(request, 'response').then(async ([response]: IncomingMessage[]) => {
    let text = '';
    for await (const chunk of response as IncomingMessage) text += String(chunk);
    return {
      status: (response as IncomingMessage).statusCode,
      body: JSON.parse(text) as { error: { message: string } },
    };
  });
  answer.catch(() => undefined);
  return { request, answer };
}

const offsetOf = async (world: World, path: string) =>
  Number((await world.call('HEAD', path)).headers.get('upload-offset'));

test('an upload that stands still is ended, and what came of it stays; one that drips is not', async () => {
  await using world = await startIsolatedWorld({ fileSilenceMs: 2_000 });
  const { bytes, path } = await released(world, 100_000);
  const still = uploading(world, path, bytes.length);
  still.request.write(bytes.subarray(0, 40_000));
  expect((await still.answer).status).toBe(408);
  await expect.poll(() => offsetOf(world, path)).toBe(40_000);
  const drip = uploading(world, path, bytes.length);
  for (let at = 0; at < bytes.length; at += 20_000) {
    drip.request.write(bytes.subarray(at, at + 20_000));
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  drip.request.end();
  expect((await drip.answer).status).toBe(200);
});

test('who asks for a file and does not read it is cut off', async () => {
  await using world = await startIsolatedWorld({ fileSilenceMs: 3_000 });
  const { bytes, path } = await released(world, 32_000_000);
  expect((await put(world, path, bytes)).status).toBe(200);
  const headers = { Authorization: `Bearer ${world.orgToken}` };
  const [response] = (await once(httpRequest(`${world.url}${path}`, { headers }).end(), 'response')) as [
    IncomingMessage,
  ];
  await expect
    .poll(() => world.lines.some((line) => line.includes('downloadArtifact') && line.includes('499')))
    .toBe(true);
  await expect(
    (async () => {
      for await (const chunk of response) expect(chunk).toBeDefined();
    })(),
  ).rejects.toThrow('aborted');
});

test('32 uploads at once all come through', async () => {
  await using world = await startIsolatedWorld();
  const all: Awaited<ReturnType<typeof released>>[] = [];
  // Eight releases at a time: it is the uploads that come at once.
  while (all.length < 32) all.push(...(await Promise.all(Array.from({ length: 8 }, () => released(world, 50_000)))));
  const answers = await Promise.all(all.map(({ bytes, path }) => put(world, path, bytes)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await world.count('artifacts')).toBe(32);
  expect(await incoming(world)).toEqual([]);
});

testWith('mount')(
  'a full disk is a 503 with a sentence, at once where that is known, and the upload goes on once there is room',
  async () => {
    await using folder = await tempDir();
    const disk = join(folder.path, 'disk');
    await mkdir(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
    try {
      await using world = await startIsolatedWorld({ env: { SERVICE_DATA_DIR: disk } });
      const [large, fits, second] = [
        await released(world, 5_000_000),
        await released(world, 3_000_000),
        await released(world, 3_000_000),
      ];
      const sentence = 'the disk of the service is full, try again';
      const never = await put(world, large.path, large.bytes);
      expect([never.status, never.body.error.message]).toEqual([
        413,
        'the artifact is larger than the disk of the service',
      ]);
      const filling = uploading(world, fits.path, fits.bytes.length);
      filling.request.write(fits.bytes.subarray(0, 1_000_000));
      await expect.poll(() => offsetOf(world, fits.path)).toBe(1_000_000);
      await writeFile(join(disk, 'other'), Buffer.alloc(2_500_000));
      filling.request.end(fits.bytes.subarray(1_000_000));
      expect(await filling.answer).toMatchObject({ status: 503, body: { error: { message: sentence } } });
      const refused = await put(world, second.path, second.bytes);
      expect([refused.status, refused.headers.get('retry-after'), refused.body.error.message]).toEqual([
        503,
        '60',
        sentence,
      ]);
      await rm(join(disk, 'other'));
      const here = await offsetOf(world, fits.path);
      expect(here).toBeGreaterThanOrEqual(1_000_000);
      const rest = part(fits.bytes, here, fits.bytes.length - 1);
      expect((await put(world, fits.path, rest.body, rest.headers)).body.data).toMatchObject({ complete: true });
      expect((await get(world, fits.path)).bytes.equals(fits.bytes)).toBe(true);
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  },
);

test('an upload goes on from what is there after kill -9 of the service', async () => {
  await using world = await startIsolatedWorld();
  await using folder = await tempDir();
  const { bytes, path } = await released(world, 2_000_000);
  await world.stop(0); // its artifacts are elsewhere
  const env = { DATABASE_URL: addressOf(world), SERVICE_DATA_DIR: folder.path, RATE_LIMIT: 'off' };
  {
    await using server = await startServer(env);
    await cut({ ...world, url: server.url, call: callOn(server.url, world) }, path, bytes, 900_000);
    await server.end('SIGKILL');
  }
  await using server = await startServer(env);
  const call = callOn(server.url, world);
  expect((await call('HEAD', path)).headers.get('upload-offset')).toBe('900000');
  const { body, headers } = part(bytes, 900_000, 1_999_999);
  expect((await call('PUT', path, { body, headers: { ...octets, ...headers } })).status).toBe(200);
  expect((await get({ ...world, url: server.url }, path)).bytes.equals(bytes)).toBe(true);
});

/** The calls of a world to another server. */
const callOn =
  (url: string, { orgToken }: World): World['call'] =>
  async (method, path, { body, headers = {} } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${orgToken}`, ...headers },
      ...(body === undefined ? {} : { body: body as Buffer }),
    });
    return { status: response.status, headers: response.headers, text: await response.text(), body: undefined };
  };

test('an upload of which all came before a crash, and which was not kept, goes on with its last byte', async () => {
  await using world = await startWorld();
  const { bytes, path } = await released(world, 10_000);
  const folder = join(world.dataDir, 'artifacts', 'incoming');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${world.orgId}.${sha256(bytes)}`), bytes);
  expect(await offsetOf(world, path)).toBe(9_999);
  const last = part(bytes, 9_999, 9_999);
  expect((await put(world, path, last.body, last.headers)).body.data).toMatchObject({ complete: true });
  expect((await get(world, path)).bytes.equals(bytes)).toBe(true);
});

test('what a release of another size left of the same file is cut off before it is kept', async () => {
  await using world = await startWorld();
  const { bytes, path } = await released(world, 10_000);
  const wrong = { tag: 'wrong', artifact_sha256: sha256(bytes), artifact_size: 10_500 };
  expect((await world.call('POST', '/api/releases', { body: wrong })).status).toBe(201);
  const folder = join(world.dataDir, 'artifacts', 'incoming');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${world.orgId}.${sha256(bytes)}`), Buffer.concat([bytes, Buffer.alloc(200)]));
  const last = part(bytes, 9_999, 9_999);
  expect((await put(world, path, last.body, last.headers)).body.data).toMatchObject({ complete: true });
  expect((await get(world, path)).bytes.equals(bytes)).toBe(true);
});

test('HEAD tells what GET gives, and an org that is suspended gets and gives nothing', async () => {
  await using world = await startWorld();
  const { bytes, path } = await released(world, 1_000);
  await put(world, path, bytes);
  const [head, whole] = [await world.call('HEAD', path), await get(world, path)];
  for (const name of ['content-length', 'content-type', 'etag', 'accept-ranges', 'cache-control'])
    expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
  const suspended = await world.call('POST', `/api/admin/orgs/${world.orgId}/suspend`, { token: world.adminToken });
  expect(suspended.status).toBe(200);
  for (const method of ['GET', 'HEAD', 'PUT'])
    expect([
      method,
      (await world.call(method, path, method === 'PUT' ? { body: bytes, headers: octets } : {})).status,
    ]).toEqual([method, 401]);
});

test('an upload that nobody went on with for a day goes, a younger one stays', async () => {
  await using world = await startIsolatedWorld();
  const [old, young] = [await released(world, 1_000), await released(world, 1_000)];
  for (const { bytes, path } of [old, young]) {
    const begun = part(bytes, 0, 9);
    await put(world, path, begun.body, begun.headers);
  }
  const name = ({ bytes }: { bytes: Buffer }) => `${world.orgId}.${sha256(bytes)}`;
  const { dataDir } = world;
  const dayAgo = Date.now() / 1000 - 86_400;
  await utimes(join(dataDir, 'artifacts', 'incoming', name(old)), dayAgo - 5, dayAgo - 5);
  await utimes(join(dataDir, 'artifacts', 'incoming', name(young)), dayAgo + 600, dayAgo + 600);
  await artifactUpkeep(world.db, await artifactStorage({ dataDir, s3: undefined }));
  expect(await incoming(world)).toEqual([name(young)]);
});
