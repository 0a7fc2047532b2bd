import { expect, test } from 'vitest';
import { logRoom } from '../../src/logs/room.ts';
import { createLogIngest } from '../../src/logs/service.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { records, sendTo, startIsolatedLogWorld, type LogWorld } from './support.ts';

const quiet = createLogger('silent', []);
const hour = 3_600_000;
const day = 24 * hour;

const roomOf = ({ world: { db } }: LogWorld, limitBytes: number, hasObjectStore = false) =>
  logRoom({ db, log: quiet, limitBytes, hasObjectStore });

test('records are refused while their tables exceed the limit and merging stands still, and stored when it goes on', async () => {
  await using logs = await startIsolatedLogWorld();
  const { db, orgId } = logs.world;
  const link = await logs.robot();
  const room = roomOf(logs, 1);
  const ingest = createLogIngest({ db, log: quiet, flushEveryMs: 1, retryForMs: 3_000, hasRoom: () => !room.isFull });
  await sendTo(ingest, link, records(1, 1));
  await room.check();
  expect(room.isFull).toBe(false); // it is not merged yet, but not late
  await db.transaction(async (trx) => {
    // The service merges what is late, and waits for this.
    await trx.raw('select pg_advisory_xact_lock_shared(log_org_lock(?::uuid))', [orgId]);
    await logs.spread(Date.now() - hour, 1_000);
    await room.check();
    expect(room.isFull).toBe(true);
    expect(await sendTo(ingest, link, records(2, 2))).toEqual({ kind: 'failed' });
    const large = roomOf(logs, 1e9);
    await large.check();
    expect(large.isFull).toBe(false);
  });
  await logs.merge();
  await room.check();
  expect(await sendTo(ingest, await logs.relink(link), records(2, 2))).toMatchObject({ kind: 'stored' });
  await ingest.close();
});

test('with an object store, days that should be moved count, unless one was moved in the last hour', async () => {
  await using logs = await startIsolatedLogWorld();
  const { db, orgId } = logs.world;
  await logs.send(await logs.robot(), records(1, 1));
  await logs.spread(Date.now() - 3 * day, 1_000);
  await logs.merge();
  const isFull = async (hasObjectStore: boolean) => {
    const room = roomOf(logs, 1, hasObjectStore);
    await room.check();
    return room.isFull;
  };
  expect([await isFull(false), await isFull(true)]).toEqual([false, true]);
  await db('log_objects').insert({ id: orgId, org_id: orgId, day: new Date(0), state: 'written' });
  expect(await isFull(true)).toBe(false);
  await db('log_objects').update({ changed_at: new Date(Date.now() - 2 * hour) });
  expect(await isFull(true)).toBe(true);
});
