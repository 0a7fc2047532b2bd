import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { openBlobs } from '../../src/artifacts/service.ts';
import { readConfig } from '../../src/config.ts';
import { erasureService, erasureWork } from '../../src/erasure/service.ts';
import { logMover } from '../../src/logs/objects/mover.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { openObjectStore } from '../../src/platform/s3/open.ts';
import { fill } from '../logs/answers.ts';
import { logWorldOn, mergeSegments } from '../logs/support.ts';
import { put, released, sha256 } from '../support/artifacts.ts';
import { factories } from '../support/factories.ts';
import { startS3Store } from '../support/s3-store.ts';
import { testWith } from '../support/tools.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';
import { settle } from './support.ts';

const dayMs = 86_400_000;
const startMs = Math.floor(Date.now() / dayMs) * dayMs - 3 * dayMs + 8 * 3_600_000;
const Bucket = 'erased-org';

/** The same service, as another org uses it. */
const as = (world: World, { id, token }: { id: string; token: string }): World => ({
  ...world,
  orgId: id,
  orgToken: token,
  call: (method, path, options) => world.call(method, path, { token, ...options }),
});

/** Log records of a past day, and artifacts of one part and of several. Returns an artifact. */
async function stored(world: World): Promise<string> {
  const logs = await logWorldOn(world);
  await fill(logs, 14);
  await logs.spread(startMs, 60_000);
  await logs.ingest.close();
  const all = [await released(world, 1_000), await released(world, 9_000_000)];
  for (const { bytes, path } of all) expect((await put(world, path, bytes)).status).toBe(200);
  return all[0]?.path ?? '';
}

testWith('python3-swift')(
  'an erased org leaves no artifact and no log object in the bucket, and those of another org stay the same',
  async () => {
    await using s3 = await startS3Store();
    const env = await s3.bucket(Bucket);
    const impatient = { answerMs: 3_000, connectMs: 2_000 };
    const config = readConfig(env);
    const objects = await openObjectStore(config.s3, impatient);
    if (!objects) throw new Error('no store');
    await using world = await startIsolatedWorld({ env });
    const { db, orgId } = world;
    const other = as(world, await factories(world).org());
    const lines: string[] = [];
    const log = createLogger('info', [], (line) => void lines.push(line));
    const { signal } = new AbortController();
    const mover = logMover({ db, log, signal, store: objects, replicaId: orgId, sizes: { blockChunks: 50 } });
    await db('log_mover').delete();
    await mover.clean(); // the service's own does nothing from here on: this one has the lease
    await stored(world);
    const keptPath = await stored(other);
    // A crash before its row was written left it.
    const lost = await released(world, 500);
    await s3.client.send(new PutObjectCommand({ Bucket, Key: `${orgId}/${sha256(lost.bytes)}`, Body: lost.bytes }));
    await mergeSegments(db);
    await mover.move();
    expect(await world.count('log_chunks')).toBe(0);

    const contents = async () => {
      const { Contents = [] } = await s3.client.send(new ListObjectsV2Command({ Bucket }));
      return Contents.map(({ Key = '', Size, ETag, LastModified }) => ({ Key, Size, ETag, LastModified }));
    };
    const of = (found: Awaited<ReturnType<typeof contents>>, id: string) => found.filter(({ Key }) => Key.includes(id));
    const before = await contents();
    const counts = (id: string) => {
      const logs = of(before, id).filter(({ Key }) => Key.startsWith(`${id}/logs/`)).length;
      return { logs, artifacts: of(before, id).length - logs };
    };
    expect(counts(orgId)).toEqual({ logs: 1, artifacts: 3 });
    expect(counts(other.orgId)).toEqual({ logs: 1, artifacts: 2 });

    await world.call('POST', `/api/admin/orgs/${orgId}/suspend`, { token: world.adminToken });
    await db('robot_links').update({ replica_id: null });
    await erasureService(db).beginOrg(orgId);
    await settle(world);
    const blobs = await openBlobs(config, impatient);
    const work = erasureWork(db, { log, objects, blobs, bus: world.bus });
    const state = () =>
      db('erasures').first<{ waits_for: string[]; finished_at: Date | null }>('waits_for', 'finished_at');
    await s3.kill();
    await work.run();
    expect(await state()).toEqual({ waits_for: ['the object store'], finished_at: null });
    await s3.start();
    await work.run();
    expect(await state(), lines.at(-1)).toEqual({
      waits_for: ['log objects are removed from the bucket'],
      finished_at: null,
    });
    await db('log_objects')
      .where({ state: 'removing' })
      .update({ changed_at: new Date(0) });
    await mover.clean();
    await work.run();
    expect(await state(), lines.at(-1)).toEqual({ waits_for: [], finished_at: expect.any(Date) });

    const after = await contents();
    expect(of(after, orgId)).toEqual([]);
    expect(after).toEqual(of(before, other.orgId));
    expect((await other.call('HEAD', keptPath)).status).toBe(200);
    expect((await other.call('GET', '/api/logs?limit=1')).body.items).toHaveLength(1);
  },
);
