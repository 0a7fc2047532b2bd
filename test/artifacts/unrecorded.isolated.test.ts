import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { artifactService, artifactStorage, artifactUpkeep, type ArtifactStorage } from '../../src/artifacts/service.ts';
import { get, put, released, sha256 } from '../support/artifacts.ts';
import { startIsolatedWorld, type IsolatedWorld } from '../support/world.ts';

/** Stores the file of an upload as a request does that is killed before it records it. */
async function storeOnly({ db, orgId }: IsolatedWorld, storage: ArtifactStorage, bytes: Buffer) {
  const key = { orgId, sha256: sha256(bytes) };
  const upload = { bytes: Readable.from([bytes]), length: bytes.length, range: undefined };
  await artifactService(db, storage).receive(key, upload);
  return key;
}

const dayLater = ({ db }: IsolatedWorld) =>
  db('artifact_uploads').update({ stored_at: db.raw(`stored_at - interval '25 hours'`) });

test('a file that a crash left unrecorded goes after a day, and none that is recorded', async () => {
  await using world = await startIsolatedWorld();
  const { db, dataDir } = world;
  const storage = await artifactStorage({ dataDir, s3: undefined });
  const [left, recorded] = [await released(world, 1_000), await released(world, 1_000)];
  await put(world, recorded.path, recorded.bytes);
  const key = await storeOnly(world, storage, left.bytes);
  const recordedLate = await storeOnly(world, storage, (await released(world, 500)).bytes);
  const sizes = () => Promise.all([key, recordedLate].map((each) => storage.blobs.sizeOf(each)));
  await artifactUpkeep(db, storage);
  expect(await sizes()).toEqual([1_000, 500]);
  await dayLater(world);
  // As a replica of the previous release records it, which does not know of the table.
  await db('artifacts').insert({ org_id: key.orgId, sha256: recordedLate.sha256, size: 500 });
  await artifactUpkeep(db, storage);
  expect(await sizes()).toEqual([undefined, 500]);
  expect(await db('artifact_uploads')).toEqual([]);
  expect((await get(world, recorded.path)).status).toBe(200);
  expect((await put(world, left.path, left.bytes)).body.data).toMatchObject({ complete: true });
});

test('a file that was left before the clock of the database was set back goes too', async () => {
  await using world = await startIsolatedWorld();
  const { db, dataDir } = world;
  const storage = await artifactStorage({ dataDir, s3: undefined });
  const key = await storeOnly(world, storage, (await released(world, 1_000)).bytes);
  await db('artifact_uploads').update({ stored_at: '2100-01-01' });
  await artifactUpkeep(db, storage);
  expect(await storage.blobs.sizeOf(key)).toBeUndefined();
});

test('a file that is being recorded, or was stored again, stays', async () => {
  await using world = await startIsolatedWorld();
  const { db, dataDir } = world;
  const storage = await artifactStorage({ dataDir, s3: undefined });
  const { bytes } = await released(world, 1_000);
  const key = await storeOnly(world, storage, bytes);
  await dayLater(world);
  await db.transaction(async (trx) => {
    await artifactService(trx, storage).record(key, 1_000);
    await artifactUpkeep(db, storage);
  });
  expect(await storage.blobs.sizeOf(key)).toBe(1_000);
  expect(await db('artifacts').pluck('sha256')).toEqual([key.sha256]);

  const other = await released(world, 700);
  const again = await storeOnly(world, storage, other.bytes);
  await dayLater(world);
  await storeOnly(world, storage, other.bytes);
  await artifactUpkeep(db, storage);
  expect(await storage.blobs.sizeOf(again)).toBe(700);
});

test('one file that cannot be removed holds up no other', async () => {
  await using world = await startIsolatedWorld();
  const { db, dataDir } = world;
  const storage = await artifactStorage({ dataDir, s3: undefined });
  const [stuck, other] = [await released(world, 1_000), await released(world, 1_000)];
  const keys = [await storeOnly(world, storage, stuck.bytes), await storeOnly(world, storage, other.bytes)] as const;
  await dayLater(world);
  const remove = (key: (typeof keys)[0]) =>
    key.sha256 === keys[0].sha256 ? Promise.reject(new Error('not permitted')) : storage.blobs.remove(key);
  const upkeep = artifactUpkeep(db, { ...storage, blobs: { ...storage.blobs, remove } });
  await expect(upkeep).rejects.toThrow('not permitted');
  expect(await Promise.all(keys.map((key) => storage.blobs.sizeOf(key)))).toEqual([1_000, undefined]);
});

test('a file that an older crash left is removed too, once an upload of it was continued in vain', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId, dataDir } = world;
  const storage = await artifactStorage({ dataDir, s3: undefined });
  const { bytes } = await released(world, 1_000);
  const key = await storeOnly(world, storage, bytes);
  await db('artifact_uploads').delete(); // as a replica of the previous release stored it
  const rest = { bytes: Readable.from([]), length: 1, range: { first: 999, last: 999, size: 1_000 } };
  expect(await artifactService(db, storage).receive(key, rest)).toMatchObject({ complete: true });
  expect(await db('artifact_uploads').pluck('org_id')).toEqual([orgId]);
});

test('a store that is away keeps an unrecorded file for the next time', async () => {
  await using world = await startIsolatedWorld();
  const { db, dataDir } = world;
  const storage = await artifactStorage({ dataDir, s3: undefined });
  const key = await storeOnly(world, storage, (await released(world, 1_000)).bytes);
  await dayLater(world);
  const remove = () => Promise.reject(new Error('the store is away'));
  await expect(artifactUpkeep(db, { ...storage, blobs: { ...storage.blobs, remove } })).rejects.toThrow('away');
  await artifactUpkeep(db, storage);
  expect(await storage.blobs.sizeOf(key)).toBeUndefined();
});
