import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { timePartitions } from '../../../src/platform/db/time-partitions.ts';
import { startPlainPostgres } from '../../support/plain-postgres.ts';
import { testWith } from '../../support/tools.ts';

const dayMs = Date.UTC(2020, 0, 1);

testWith('postgresql')('a drop ends the autovacuum of the values that are stored out of line', async () => {
  await using postgres = await startPlainPostgres();
  const db = openDatabase(postgres.url);
  try {
    await db.raw(`alter system set autovacuum_naptime = '1s'`);
    await db.raw('select pg_reload_conf()');
    await db.raw('create table records (at timestamptz, body bytea) partition by range (at)');
    const partitions = timePartitions(db, 'records');
    await partitions.make([dayMs]);
    const name = partitions.nameOf(dayMs);
    await db.raw(
      `alter table ?? alter body set storage external;
       alter table ?? set (toast.autovacuum_vacuum_insert_threshold = 0, toast.autovacuum_vacuum_insert_scale_factor = 0,
         toast.autovacuum_vacuum_cost_delay = 100, toast.autovacuum_vacuum_cost_limit = 1)`,
      [name, name],
    );
    await db.raw(
      `insert into ?? select '2020-01-01', decode(repeat(md5(n::text), 200), 'hex') from generate_series(1, 5000) n`,
      [name],
    );
    const isVacuumed = async () => {
      const { rows } = await db.raw<{ rows: unknown[] }>(
        'select from pg_stat_progress_vacuum where relid = (select reltoastrelid from pg_class where oid = ?::regclass)',
        [name],
      );
      return rows.length > 0;
    };
    await expect.poll(isVacuumed, { timeout: 60_000 }).toBe(true);
    await partitions.drop([dayMs]);
    expect(await partitions.list()).toEqual([]);
  } finally {
    await db.destroy();
  }
});

testWith('postgresql').each(['records_2020_01_01', 'only records'])(
  'a partition stays while a reader has locked %s, and writers do not wait for that reader',
  async (locked) => {
    await using postgres = await startPlainPostgres();
    const db = openDatabase(postgres.url);
    try {
      await db.raw('create table records (at timestamptz) partition by range (at)');
      const partitions = timePartitions(db, 'records');
      const nextMs = dayMs + 86_400_000;
      await partitions.make([dayMs, nextMs]);
      const reader = await db.transaction();
      await reader.raw(`lock table ${locked} in access share mode`);
      // A writer of the whole table, all the time. It waits for no longer than a drop that waits for a reader.
      const over = new AbortController();
      const writing = (async () => {
        let written = 0;
        for (; !over.signal.aborted; written += 1)
          await db.raw(`set lock_timeout = '800ms'; insert into records values ('2020-01-02')`);
        return written;
      })();
      await partitions.drop([dayMs]);
      const droppingIn = db.transaction((trx) => partitions.dropIn(trx, dayMs));
      await expect(droppingIn).rejects.toThrow('records_2020_01_01 is being read, and cannot be dropped yet');
      over.abort();
      expect(await writing).toBeGreaterThan(0);
      expect(await partitions.list()).toEqual([dayMs, nextMs]);
      await reader.rollback();
      await partitions.drop([dayMs]);
      expect(await partitions.list()).toEqual([nextMs]);
    } finally {
      await db.destroy();
    }
  },
);

testWith('postgresql')('a partition is dropped while others read the table all the time', async () => {
  await using postgres = await startPlainPostgres();
  const db = openDatabase(postgres.url);
  try {
    await db.raw('create table records (at timestamptz) partition by range (at)');
    const partitions = timePartitions(db, 'records');
    await partitions.make([dayMs]);
    const over = new AbortController();
    const read = async () => {
      while (!over.signal.aborted)
        await db.transaction(async (trx) => {
          await trx.raw('lock table only records in access share mode');
          await trx.raw('select pg_sleep(0.05)');
          await trx.raw('select from records');
        });
    };
    const reading = Promise.all([read(), read(), read()]);
    await sleep(200);
    await partitions.drop([dayMs]);
    over.abort();
    await reading;
    expect(await partitions.list()).toEqual([]);
  } finally {
    await db.destroy();
  }
});
