import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { tempDir } from '../support/temp-dir.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';
import { clusterOf } from '../support/replicas.ts';

/** Short leases, so that a test sees one run out. */
const linkLimits = { leaseMs: 5_000, renewEveryMs: 200 };
const shared = { SERVICE_ARTIFACTS_SHARED: '1' };

/** Leaves the lease of a replica that was killed. */
const leaveLease = (world: World) =>
  world.db('replicas').insert({
    id: randomUUID(),
    artifacts_folder: randomUUID(),
    started_at: world.db.raw("now() - interval '1 hour'"),
    lease_until: world.db.raw("now() + interval '1 second'"),
  });

const readiness = async ({ url }: World) => {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, body: (await response.json()) as { status: string; cluster?: string } };
};

test('a replica with artifacts on a local disk does not start beside another one that is alive', async () => {
  await using world = await startIsolatedWorld({ linkLimits });
  await using folder = await tempDir();
  const env = { SERVICE_DATA_DIR: folder.path };
  await expect(startIsolatedWorld({ shares: world, linkLimits, env })).rejects.toMatchObject({
    name: 'ArtifactStoreError',
    message: expect.stringMatching(/^another replica is alive.*set S3_BUCKET, or SERVICE_ARTIFACTS_SHARED=1[^\n]*$/),
  });
  // It signed off: the next one waits for nobody but the first.
  expect(await world.count('replicas')).toBe(1);
});

test('a folder that is said to be shared, but is not the one that the other replica has, is refused', async () => {
  await using world = await startIsolatedWorld({ linkLimits, env: shared });
  await using folder = await tempDir();
  const env = { ...shared, SERVICE_DATA_DIR: folder.path };
  await expect(startIsolatedWorld({ shares: world, linkLimits, env })).rejects.toThrow(
    /has a different artifacts folder/,
  );
  await using other = await startIsolatedWorld({ shares: world, linkLimits, env: shared });
  expect(other.lines.join()).not.toContain('stores artifacts elsewhere');
});

test('a replica with another secret does not start beside one that is alive, and one that has both does', async () => {
  const withSecret = (secret: string) => ({ ...shared, ...clusterOf(0), SERVICE_CLUSTER_SECRET: secret });
  const [ours, theirs] = ['a', 'b'].map((letter) => letter.repeat(32)) as [string, string];
  await using world = await startIsolatedWorld({ linkLimits, env: withSecret(ours) });
  const start = (secret: string) => startIsolatedWorld({ shares: world, linkLimits, env: withSecret(secret) });
  await expect(start(theirs)).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/^another live replica has another SERVICE_CLUSTER_SECRET: [^\n]*$/),
  });
  expect(await world.count('replicas')).toBe(1);
  await using both = await start(`${theirs},${ours}`);
  await using next = await start(ours);
  expect([...both.lines, ...next.lines].join()).not.toContain('another SERVICE_CLUSTER_SECRET');
});

test('a single server waits for the lease of one that was killed, says so once, and starts', async () => {
  await using world = await startIsolatedWorld();
  await world.stop(0);
  await leaveLease(world);
  await using folder = await tempDir();
  await using next = await startIsolatedWorld({ shares: world, env: { SERVICE_DATA_DIR: folder.path } });
  expect(next.lines.filter((line) => line.includes('stores artifacts elsewhere'))).toHaveLength(1);
  expect((await readiness(next)).body).toEqual({ status: 'ready', database: 'ok', bus: 'ok' });
});

test('what several replicas lack in their settings is told in the log and by /readyz, until the other one is gone', async () => {
  await using world = await startIsolatedWorld({ linkLimits });
  const lacks = /SERVICE_REPLICA_URL and SERVICE_CLUSTER_SECRET are not set.*SERVICE_ARTIFACTS_SHARED/;
  {
    await using other = await startIsolatedWorld({ shares: world, linkLimits, env: { ...shared, ...clusterOf(0) } });
    await expect.poll(async () => (await readiness(world)).body.cluster).toMatch(lacks);
    expect((await readiness(world)).status).toBe(200);
    expect((await readiness(other)).body.cluster).toBeUndefined();
  }
  expect(world.lines.filter((line) => line.includes('SERVICE_REPLICA_URL'))).toHaveLength(1);
  await expect.poll(async () => (await readiness(world)).body.cluster).toBeUndefined();
});

test('replicas of which one keeps artifacts in a bucket and the other on its disk both say so', async () => {
  await using world = await startIsolatedWorld({ linkLimits, env: { ...shared, ...clusterOf(0) } });
  const bucket = {
    S3_BUCKET: 'artifacts',
    S3_ENDPOINT: 'http://127.0.0.1:9',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
  };
  await using other = await startIsolatedWorld({ shares: world, linkLimits, env: { ...bucket, ...clusterOf(0) } });
  const elsewhere = /^another replica stores its artifacts elsewhere[^;]*$/;
  for (const each of [world, other])
    await expect.poll(async () => (await readiness(each)).body.cluster).toMatch(elsewhere);
});
