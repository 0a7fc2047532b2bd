import { hash, randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { artifactService, artifactStorage } from '../../src/artifacts/service.ts';
import { artifactStore } from '../../src/artifacts/store.ts';
import { factories } from '../support/factories.ts';
import { startIsolatedWorld, startWorld, type World } from '../support/world.ts';

const setQuotas = (world: World, body: object, orgId = world.orgId) =>
  world.call('PUT', `/api/admin/orgs/${orgId}/quotas`, { token: world.adminToken, body });
const enroll = (world: World, token: string, body: object = {}) => world.call('POST', '/agent/enroll', { token, body });
const quotas = async (world: World) => (await world.call('GET', '/api/org/quotas')).body.data;
const upload = (world: World, bytes: Buffer, part = bytes) =>
  world.call('PUT', `/api/artifacts/${hash('sha256', bytes)}`, {
    headers: {
      'Content-Type': 'application/octet-stream',
      ...(part.length < bytes.length && { 'Content-Range': `bytes 0-${part.length - 1}/${bytes.length}` }),
    },
    body: part,
  });
const newArtifact = async (world: World, size: number): Promise<Buffer> => {
  const bytes = randomBytes(size);
  await factories(world).release({ artifact_sha256: hash('sha256', bytes), artifact_size: size });
  return bytes;
};

test('an org without quotas has no limit, sees what it has, and gets no header', async () => {
  await using world = await startWorld();
  const answer = await enroll(world, (await factories(world).key()).value);
  expect(answer.status).toBe(201);
  expect(answer.headers.get('x-quota')).toBeNull();
  expect(await quotas(world)).toEqual({ used: { robots: 1, artifact_bytes: 0, live_streams: 0 } });
  expect(await world.count('org_quotas')).toBe(0);
});

test.each([0, 1, 7])('of 40 robots that enroll with four keys at once, a quota of %i admits so many', async (limit) => {
  await using world = await startWorld();
  const keys = await Promise.all([1, 2, 3, 4].map(() => factories(world).key()));
  await setQuotas(world, { robots: limit });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => enroll(world, keys[index % 4]?.value as string)),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(limit);
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(40 - limit);
  expect(refused[0]?.body.error).toEqual({
    code: 'conflict',
    message: `the org has ${limit} of ${limit} robots, and this request adds 1; remove robots, or ask the operator of the service for a higher quota`,
  });
  expect(refused[0]?.headers.get('x-quota')).toBe(`"robots";q=${limit};r=0`);
  expect(await world.count('robots')).toBe(limit);
  expect(await quotas(world)).toMatchObject({ robots: limit, used: { robots: limit } });
});

test('robots that enroll while the first quota is set are counted', async () => {
  await using world = await startWorld();
  const keys = await Promise.all([1, 2, 3, 4].map(() => factories(world).key()));
  const enrolling = Array.from({ length: 24 }, (_, index) => enroll(world, keys[index % 4]?.value as string));
  await Promise.race(enrolling);
  await setQuotas(world, { robots: 1_000 });
  const answers = await Promise.all(enrolling);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(await quotas(world)).toMatchObject({ used: { robots: 24 } });
});

test('a removed robot makes room, and a retry takes none', async () => {
  await using world = await startWorld();
  const key = await factories(world).key();
  await setQuotas(world, { robots: 2 });
  const nonce = randomUUID().replaceAll('-', '');
  const first = await enroll(world, key.value, { nonce });
  expect(first.headers.get('x-quota')).toBe('"robots";q=2;r=1');
  expect((await enroll(world, key.value, { nonce })).status).toBe(200);
  await enroll(world, key.value);
  expect((await enroll(world, key.value)).status).toBe(409);
  await world.call('DELETE', `/api/robots/${first.body.data.robot_id}`);
  expect(await quotas(world)).toMatchObject({ used: { robots: 1 } });
  expect((await enroll(world, key.value)).status).toBe(201);
});

test('a robot that replaces another enrolls also where there are too many', async () => {
  await using world = await startWorld();
  const key = await factories(world).key();
  const old = await enroll(world, key.value);
  await setQuotas(world, { robots: 0 });
  const replacement = await enroll(world, key.value, { replaces_token: old.body.data.robot_token });
  expect(replacement.status).toBe(201);
  expect(await quotas(world)).toMatchObject({ robots: 0, used: { robots: 1 } });
});

test('a limit below what the org has removes nothing, and a removed limit admits again', async () => {
  await using world = await startWorld();
  const key = await factories(world).key();
  await enroll(world, key.value);
  await enroll(world, key.value);
  const lowered = await setQuotas(world, { robots: 1 });
  expect(lowered.body.data).toMatchObject({ robots: 1, used: { robots: 2 } });
  expect((await enroll(world, key.value)).status).toBe(409);
  expect(await world.count('robots')).toBe(2);
  expect((await setQuotas(world, {})).body.data).toEqual({ used: { robots: 2, artifact_bytes: 0, live_streams: 0 } });
  expect(await world.count('org_quotas')).toBe(0);
  expect((await enroll(world, key.value)).status).toBe(201);
});

test('robots that enroll while quotas are set and removed are counted', async () => {
  await using world = await startWorld();
  const keys = await Promise.all([1, 2, 3, 4].map(() => factories(world).key()));
  const enrolling = Array.from({ length: 60 }, (_, index) => enroll(world, keys[index % 4]?.value as string));
  const limits = Array.from({ length: 8 }, (_, index) => (index % 2 ? { robots: 1_000 + index } : {}));
  const set = await Promise.all(limits.map((body) => setQuotas(world, body)));
  // Each took effect, also beside one that removes all.
  expect(set.map(({ body }) => ({ robots: body.data?.robots }))).toEqual(
    limits.map((body) => ({ robots: undefined, ...body })),
  );
  expect(new Set((await Promise.all(enrolling)).map(({ status }) => status))).toEqual(new Set([201]));
  await setQuotas(world, { robots: 1_000 });
  expect(await quotas(world)).toMatchObject({ used: { robots: 60 } });
});

test('the quota of one org leaves others alone, and only the operator of the service sets it', async () => {
  await using world = await startWorld();
  await using other = await startWorld();
  await setQuotas(world, { robots: 0 });
  expect((await enroll(other, (await factories(other).key()).value)).status).toBe(201);
  const own = await world.call('PUT', `/api/admin/orgs/${world.orgId}/quotas`, { body: {} });
  expect(own.status).toBe(403);
  expect((await setQuotas(world, {}, randomUUID())).status).toBe(404);
  const entry = (await world.call('GET', '/api/audit?operation=setOrgQuotas')).body.items[0];
  expect(entry).toMatchObject({ actor_kind: 'admin', before: { quotas: {} }, after: { quotas: { robots: 0 } } });
});

test('an artifact beyond the quota is refused before its bytes are read, and a stored one may be sent again', async () => {
  await using world = await startWorld();
  const [first, second] = [await newArtifact(world, 600), await newArtifact(world, 500)];
  await setQuotas(world, { artifact_bytes: 1_000 });
  const stored = await upload(world, first);
  expect(stored.status).toBe(200);
  expect(stored.headers.get('x-quota')).toBe('"artifact_bytes";q=1000;r=400');
  expect((await upload(world, second, second.subarray(0, 100))).status).toBe(409);
  const refused = await upload(world, second);
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toMatch(/^the org has 600 of 1000 bytes of artifacts, and this request adds 500;/);
  expect(refused.headers.get('x-quota')).toBe('"artifact_bytes";q=1000;r=400');
  const progress = await world.call('HEAD', `/api/artifacts/${hash('sha256', second)}`);
  expect(progress.headers.get('upload-offset')).toBe('0');
  expect((await upload(world, first)).status).toBe(200);
  expect(await quotas(world)).toMatchObject({ artifact_bytes: 1_000, used: { artifact_bytes: 600 } });
  await setQuotas(world, { artifact_bytes: 1_100 });
  expect((await upload(world, second)).status).toBe(200);
});

test('of artifacts that arrive at once, the quota admits those that fit', async () => {
  await using world = await startWorld();
  const all = await Promise.all(Array.from({ length: 8 }, () => newArtifact(world, 100_000)));
  await setQuotas(world, { artifact_bytes: 350_000 });
  const answers = await Promise.all(all.map((bytes) => upload(world, bytes)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
  expect(await readdir(join(world.dataDir, 'artifacts', world.orgId))).toHaveLength(3);
  expect(await quotas(world)).toMatchObject({ used: { artifact_bytes: 300_000 } });
});

test('a file that the quota refuses after its upload is removed, and not one that another upload is recording', async () => {
  await using world = await startWorld();
  const { db, orgId, dataDir } = world;
  const storage = await artifactStorage({ dataDir, s3: undefined });
  const bytes = await newArtifact(world, 600);
  const key = { orgId, sha256: hash('sha256', bytes) };
  const sizeOf = () => storage.blobs.sizeOf(key);
  const receive = () =>
    artifactService(db, storage).receive(key, {
      bytes: Readable.from([bytes]),
      length: bytes.length,
      range: undefined,
    });
  const record = (trx: Knex) => artifactService(trx, storage).record(key, bytes.length);
  await receive();
  await setQuotas(world, { artifact_bytes: 500 });
  const other = await db.transaction();
  await artifactStore(other).hold(key);
  await expect(db.transaction(record)).rejects.toThrow('the org has 0 of 500 bytes of artifacts');
  expect(await sizeOf()).toBe(600);
  await other.rollback();
  await expect(db.transaction(record)).rejects.toThrow('the org has 0 of 500 bytes of artifacts');
  expect(await sizeOf()).toBeUndefined();
  await setQuotas(world, {});
  await expect(db.transaction(record)).rejects.toThrow('the stored artifact was removed meanwhile, upload it again');
  await receive();
  await db.transaction(record);
  expect(await sizeOf()).toBe(600);
});

test('refusals are counted by quota', async () => {
  await using world = await startIsolatedWorld();
  const key = await factories(world).key();
  await setQuotas(world, { robots: 0, artifact_bytes: 499 });
  await enroll(world, key.value);
  await enroll(world, key.value);
  await upload(world, await newArtifact(world, 500));
  const text = await (await fetch(`${world.url}/metrics`)).text();
  expect(text).toContain('fleet_quota_refusals_total{quota="robots"} 2');
  expect(text).toContain('fleet_quota_refusals_total{quota="artifact_bytes"} 1');
});
