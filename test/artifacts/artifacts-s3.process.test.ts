import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect } from 'vitest';
import { artifactService, artifactStorage, artifactUpkeep, whyStoreIsAway } from '../../src/artifacts/service.ts';
import { readConfig } from '../../src/config.ts';
import { cut, get, incoming, part, put, released, sha256 } from '../support/artifacts.ts';
import { freePort } from '../support/free-port.ts';
import { startS3Store, type S3Store } from '../support/s3-store.ts';
import { spawnServer } from '../support/server-process.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';
import { addressOf, startIsolatedWorld, type IsolatedOptions, type IsolatedWorld } from '../support/world.ts';

let store: S3Store;
beforeAll(async () => {
  store = await startS3Store();
});
// The store is Python, and starts of the service are among these: seconds where nothing else runs.
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

/** A world that keeps its artifacts in a bucket of its own. */
async function storing(
  options: IsolatedOptions = {},
): Promise<IsolatedWorld & { bucket: string; env: Record<string, string> }> {
  const bucket = `bucket-${randomBytes(4).toString('hex')}`;
  const env = await store.bucket(bucket);
  return Object.assign(await startIsolatedWorld({ env, ...options }), { bucket, env });
}

const keysOf = async (bucket: string) =>
  ((await store.client.send(new ListObjectsV2Command({ Bucket: bucket }))).Contents ?? []).map(({ Key }) => Key);

const away = 'the artifact store sent an invalid response, try again';

testWith('python3-swift')(
  'an artifact goes to the bucket in parts once it is verified, and is given whole and in ranges',
  async () => {
    await using world = await storing();
    const { bytes, path } = await released(world, 9_000_000);
    expect((await put(world, path, Buffer.from(bytes).fill(0, 0, 9))).status).toBe(400);
    expect(await keysOf(world.bucket)).toEqual([]);
    expect((await put(world, path, bytes)).body.data).toMatchObject({ complete: true, received: 9_000_000 });
    expect(await keysOf(world.bucket)).toEqual([`${world.orgId}/${sha256(bytes)}`]);
    expect(await incoming(world)).toEqual([]);
    expect((await get(world, path)).bytes.equals(bytes)).toBe(true);
    const range = await get(world, path, { Range: 'bytes=8388600-8388620' });
    expect([range.status, range.bytes.equals(bytes.subarray(8_388_600, 8_388_621))]).toEqual([206, true]);
    expect((await world.call('HEAD', path)).headers.get('content-length')).toBe('9000000');
    expect((await put(world, path, bytes)).body.data).toMatchObject({ complete: true });
    const empty = await released(world, 0);
    expect((await put(world, empty.path, empty.bytes)).body.data).toMatchObject({ complete: true });
    expect((await get(world, empty.path)).status).toBe(200);
  },
);

testWith('python3-swift')(
  'an artifact of more than 100 MB goes to the bucket in parts, and comes back whole',
  async () => {
    await using world = await storing();
    const { bytes, path } = await released(world, 110_000_000);
    expect((await put(world, path, bytes)).body.data).toMatchObject({ complete: true, received: 110_000_000 });
    const range = await get(world, path, { Range: 'bytes=104857590-104857609' });
    expect([range.status, range.bytes.equals(bytes.subarray(104_857_590, 104_857_610))]).toEqual([206, true]);
    expect(sha256((await get(world, path)).bytes)).toBe(sha256(bytes));
  },
);

testWith('python3-swift')(
  'replicas share a bucket; an upload is one replica’s until it is whole, and the other tells so',
  async () => {
    await using world = await storing();
    const { bytes, path } = await released(world, 1_000_000);
    await cut(world, path, bytes, 400_000);
    await using folder = await tempDir();
    await using other = await startIsolatedWorld({
      shares: world,
      env: { ...world.env, SERVICE_DATA_DIR: folder.path },
    });
    expect((await other.call('HEAD', path)).headers.get('upload-offset')).toBe('0');
    const rest = part(bytes, 400_000, 999_999);
    const elsewhere = await put(other, path, rest.body, rest.headers);
    expect([elsewhere.status, elsewhere.body.error.message]).toEqual([409, '0 bytes are stored: resume from there']);
    expect((await put(other, path, bytes)).body.data).toMatchObject({ complete: true });
    expect((await world.call('HEAD', path)).status).toBe(200);
    expect((await get(world, path)).bytes.equals(bytes)).toBe(true);
  },
);

testWith('python3-swift')(
  'a store that is away is a 503 with a reason, and what was uploaded meanwhile needs its last byte alone',
  async () => {
    await using world = await storing();
    const [kept, coming] = [await released(world, 100_000), await released(world, 100_000)];
    await put(world, kept.path, kept.bytes);
    const begun = part(coming.bytes, 0, 49_999);
    await put(world, coming.path, begun.body, begun.headers);
    await store.kill();
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await world.call(method, kept.path);
      expect([method, status, headers.get('retry-after')]).toEqual([method, 503, '5']);
      if (method === 'GET') expect(body.error).toEqual({ code: 'http_error', message: away });
    }
    expect((await put(world, coming.path, coming.bytes)).status).toBe(503);
    expect(world.lines.some((line) => line.includes('ECONNREFUSED'))).toBe(true);
    expect((await fetch(`${world.url}/readyz`)).status).toBe(200);
    await store.start();
    expect((await get(world, kept.path)).bytes.equals(kept.bytes)).toBe(true);
    const rest = part(coming.bytes, 50_000, 99_999);
    expect((await put(world, coming.path, rest.body, rest.headers)).body.data).toMatchObject({ complete: true });
  },
);

testWith('python3-swift')(
  'a store that hangs costs a few seconds and no more; a download that it breaks off is cut',
  async () => {
    await using patient = await storing();
    const { bytes, path } = await released(patient, 18_000_000);
    const other = await released(patient, 1_000);
    await put(patient, path, bytes);
    const s3Patience = { answerMs: 2_000, silenceMs: 2_000 };
    await using world = await startIsolatedWorld({ env: patient.env, shares: patient, s3Patience });
    const reading = await fetch(`${world.url}${path}`, { headers: { Authorization: `Bearer ${world.orgToken}` } });
    const reader = (reading.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    store.signal('SIGSTOP');
    try {
      await expect(
        (async () => {
          while (!(await reader.read()).done);
        })(),
      ).rejects.toThrow('terminated');
      expect((await world.call('GET', path)).body.error.message).toBe(away);
      expect((await put(world, other.path, other.bytes)).status).toBe(503);
    } finally {
      store.signal('SIGCONT');
    }
    await expect.poll(async () => (await world.call('HEAD', path)).status).toBe(200);
    await expect.poll(async () => (await put(world, other.path, other.bytes)).status).toBe(200);
  },
);

testWith('python3-swift')('what is in the bucket and not the artifact is not given out', async () => {
  await using world = await storing();
  const { bytes, path } = await released(world, 1_000);
  await put(world, path, bytes);
  const of = { Bucket: world.bucket, Key: `${world.orgId}/${sha256(bytes)}` };
  await store.client.send(new PutObjectCommand({ ...of, Body: Buffer.alloc(1_000) }));
  expect((await world.call('GET', path)).status).toBe(404);
  expect((await put(world, path, bytes)).body.data).toMatchObject({ complete: true });
  expect((await get(world, path)).bytes.equals(bytes)).toBe(true);
});

testWith('python3-swift')(
  'parts that an upload into the store left behind go after a day, and nothing that is not ours',
  async () => {
    const bucket = `bucket-${randomBytes(4).toString('hex')}`;
    const { s3 } = readConfig(await store.bucket(bucket));
    const ours = `${randomUUID()}/${'0'.repeat(64)}`;
    for (const Key of [ours, 'backups/today'])
      await store.client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }));
    const left = async () =>
      ((await store.client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads ?? []).map(
        ({ Key }) => Key,
      );
    await using world = await startIsolatedWorld();
    const shelf = () => artifactStorage({ dataDir: world.dataDir, s3 });
    await artifactUpkeep(world.db, await shelf());
    expect(await left()).toEqual(['backups/today', ours].sort());
    await (await shelf()).blobs.tidy(-5_000);
    expect(await left()).toEqual(['backups/today']);
  },
);

testWith('python3-swift')('a file in the store that was not recorded for a day goes, and no other one', async () => {
  await using world = await storing();
  const { db, orgId, dataDir } = world;
  const [left, recorded] = [await released(world, 1_000), await released(world, 1_000)];
  await put(world, recorded.path, recorded.bytes);
  const storage = await artifactStorage({ dataDir, s3: readConfig(world.env).s3 });
  const upload = { bytes: Readable.from([left.bytes]), length: 1_000, range: undefined };
  await artifactService(db, storage).receive({ orgId, sha256: sha256(left.bytes) }, upload);
  expect(await keysOf(world.bucket)).toHaveLength(2);
  await db('artifact_uploads').update({ stored_at: db.raw(`stored_at - interval '25 hours'`) });
  await artifactUpkeep(db, storage);
  expect(await keysOf(world.bucket)).toEqual([`${orgId}/${sha256(recorded.bytes)}`]);
});

testWith('python3-swift')('a store that refuses the service ends its start in one sentence', async () => {
  await using world = await startIsolatedWorld();
  const bucket = `bucket-${randomBytes(4).toString('hex')}`;
  const env = await store.bucket(bucket);
  const server = spawnServer({ DATABASE_URL: addressOf(world), ...env, AWS_SECRET_ACCESS_KEY: 'wrong' });
  expect((await server.exited)[0]).toBe(1);
  expect(server.stderr()).toMatch(
    /^the S3 store rejected the credentials, with S3_BUCKET bucket-[0-9a-f]{8}: SignatureDoesNotMatch: .+\n$/m,
  );
  expect(server.stderr()).not.toContain('    at ');
  const why = (change: object) => whyStoreIsAway(readConfig({ ...env, ...change }).s3);
  expect(await why({})).toBeUndefined();
  await expect(why({ S3_BUCKET: 'no-such' })).rejects.toThrow('with S3_BUCKET no-such: NoSuchBucket: ');
  expect(await why({ S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` })).toContain('ECONNREFUSED');
});
