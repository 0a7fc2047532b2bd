import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { carefulReader } from '../../src/logs/segments/careful-window.ts';
import { segmentMerging } from '../../src/logs/segments/merging.ts';
import { segmentStore } from '../../src/logs/segments/store.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { setForRole } from '../../src/platform/db/session.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { messagesOf, records, startIsolatedLogWorld } from './support.ts';

const mergeAll = (db: Knex) =>
  segmentMerging(db, { log: createLogger('silent', []), onLost: () => expect.unreachable() }).run(true);

/** Storing chunks takes longer together than a transaction may be idle. */
const slowChunks = `
  create function store_slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return null; end $$;
  create trigger slow_chunks before insert on log_chunks for each statement execute function store_slowly()`;

test('merging much of one robot leaves its transaction idle only for as long as Postgres allows', async () => {
  await using logs = await startIsolatedLogWorld();
  const { db, connection } = logs.world;
  const link = await logs.robot();
  const store = segmentStore(db);
  const line = {
    text: `{"level":"info","source":"journal","message":"${'x'.repeat(32_000)}"}`,
    rank: 2,
    isRedacted: false,
  };
  const lines = Array<typeof line>(32).fill(line); // 1 MiB
  await store.readHeads([{ ...link, spool: 'spool' }]);
  for (let fromSeq = 1; fromSeq < 256; fromSeq += 32)
    await store.store([{ ...link, spool: 'spool', fromSeq, toSeq: fromSeq + 31, lines }]);
  await db.raw(slowChunks);
  await setForRole(db);
  await db.raw('alter role current_user in database ?? set idle_in_transaction_session_timeout = 3000', [
    connection.database,
  ]);
  const merger = openDatabase(connection, { pooler: true }); // has the limits of the role
  try {
    await mergeAll(merger);
  } finally {
    await merger.destroy();
  }
  expect(await db('log_counters').pluck('seq')).toEqual([256]);
});

test('merging reads each group once, and little of a large window at a time', async () => {
  await using logs = await startIsolatedLogWorld();
  const { db } = logs.world;
  const links = [await logs.robot(), await logs.robot()];
  for (let seq = 1; seq <= 3; seq += 1) for (const link of links) await logs.send(link, records(seq, seq));
  await db('log_segments').update({ bytes: 20 * 1_048_576 }); // as if a segment had that much text
  const read: number[] = [];
  const count = (response: { rows: unknown[] }, { sql }: { sql: string }) => {
    if (sql.includes('generate_series')) read.push(response.rows.length);
  };
  db.on('query-response', count);
  try {
    await mergeAll(db);
  } finally {
    db.off('query-response', count);
  }
  expect(read).toEqual([1, 1, 1, 1, 1, 1]);
  for (const { robotId } of links) expect(messagesOf(await logs.all(robotId))).toEqual(['line 1', 'line 2', 'line 3']);
});

test('a window may have more segments than a call has arguments', async () => {
  await using logs = await startIsolatedLogWorld();
  const { db, orgId } = logs.world;
  const link = await logs.robot();
  await logs.send(link, records(1, 1));
  const segments = 150_000;
  for (let stored = 0; stored < segments; stored += 30_000)
    await db.raw(
      `insert into log_segments (org_id, received_at, format, records, bytes, max_level, first_stream, streams, levels, places, head, body)
       select org_id, received_at, 1, 0, 0, 0, 0, '', '\\x00', '{0,0,0,0}', '', ''
         from log_segments cross join generate_series(1, 30000) where records > 0`,
    );
  const { rows } = await db.raw<{ rows: [{ last: number }] }>('select last_value as last from log_segment_ids');
  const window = await db.transaction((trx) =>
    carefulReader.findWindow(trx, orgId, { lastId: rows[0].last, isAllDue: true }),
  );
  expect(window.rows).toHaveLength(segments + 1);
  await mergeAll(db);
  expect(await db('log_orgs').pluck('merged_id')).toEqual([rows[0].last]);
  expect(messagesOf(await logs.all(link.robotId))).toEqual(['line 1']);
});
