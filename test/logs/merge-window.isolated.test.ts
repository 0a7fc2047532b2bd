import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { createLogIngest } from '../../src/logs/service.ts';
import { segmentMerging } from '../../src/logs/segments/merging.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { until } from '../support/until.ts';
import { messagesOf, records, sendTo, startIsolatedLogWorld } from './support.ts';

/** Any constant: an advisory lock. */
const commitLock = 25;

/** Segments of two records wait at their commit, while this lock is taken. */
const slowCommits = `
  create function wait_for_commit() returns trigger language plpgsql set lock_timeout = 0 as $$
  begin
    if new.records = 2 then perform pg_advisory_xact_lock_shared(${commitLock}); end if;
    return null;
  end $$;
  create constraint trigger slow_commits after insert on log_segments deferrable initially deferred
    for each row execute function wait_for_commit()`;

const waits = (db: Knex, event: string, query: string) =>
  until(async () => {
    const condition = { datname: db.raw('current_database()'), wait_event: event };
    return (await db('pg_stat_activity').where(condition).whereLike('query', `%${query}%`)).length > 0;
  });

/** Holds what this statement locks. */
async function holding(db: Knex, lock: string): Promise<Knex.Transaction> {
  const holder = await db.transaction();
  await holder.raw(lock);
  return holder;
}

test('a segment that is committed after a later one is merged too, whenever the merger looks', async () => {
  await using logs = await startIsolatedLogWorld();
  const { db, orgId } = logs.world;
  const log = createLogger('silent', []);
  const other = createLogIngest({ db, log, flushEveryMs: 5 });
  const [slow, quick] = [await logs.robot(), await logs.robot()];
  await logs.send(slow, records(1, 1));
  await sendTo(other, quick, records(1, 1));
  await db.raw(slowCommits);

  const storing = await holding(db, `select pg_advisory_xact_lock_shared(log_org_lock('${orgId}'))`);
  const merging = segmentMerging(db, { log, onLost: () => undefined }).run(true);
  await waits(db, 'advisory', 'log_org_lock');
  const beforeWindow = await holding(db, 'lock table log_orgs in access exclusive mode');
  await storing.rollback(); // the merger has waited for what is being stored
  await waits(db, 'relation', 'log_segments');
  const commit = await holding(db, `select pg_advisory_xact_lock(${commitLock})`);
  const sent = logs.send(slow, records(2, 3));
  await waits(db, 'advisory', 'store_log_segment');
  await sendTo(other, quick, records(2, 2));
  await beforeWindow.rollback();
  await until(async () => (await db('log_orgs').where('merged_id', '>', 0)).length > 0);
  await commit.rollback();
  await merging;

  expect(await sent).toMatchObject({ kind: 'stored', seq: 3 });
  await other.close();
  expect(messagesOf(await logs.all(quick.robotId))).toEqual(['line 1', 'line 2']);
  expect(messagesOf(await logs.all(slow.robotId))).toEqual(['line 1', 'line 2', 'line 3']);
});
