import type { Knex } from 'knex';

/** Any constant. Replicas create and drop partitions one at a time. */
const partitionLock = 7_201_934_552;
/** Days after today that have partitions. */
const daysAhead = 2;
const dayMs = 86_400_000;
/**
 * How long a drop waits for readers of the day, while it blocks everything that comes later. The next maintenance
 * retries.
 */
const dropWait = '500ms';

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * The partitions of `table`, which is partitioned by range of a time column: one per day, in UTC by the database's
 * clock. Names of tables come from code, never from a caller.
 */
export function dayPartitions(db: Knex, table: string) {
  const nameOf = (day: number): string => `${table}_${dayOf(day).replaceAll('-', '_')}`;

  /** First instants of the days that have a partition, oldest first. */
  async function list(): Promise<number[]> {
    const { rows } = await db.raw<{ rows: { name: string }[] }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = ?::regclass order by c.relname`,
      [table],
    );
    return rows.map(({ name }) => Date.parse(name.slice(table.length + 1).replaceAll('_', '-')));
  }

  async function today(): Promise<number> {
    const { rows } = await db.raw<{ rows: [{ now: Date }] }>('select now()');
    return rows[0].now.getTime() - (rows[0].now.getTime() % dayMs);
  }

  /** Creates the missing partitions of these days (their first instants, ms). */
  async function make(wanted: readonly number[]): Promise<void> {
    const there = new Set(await list());
    if (wanted.every((day) => there.has(day))) return;
    await db.transaction(async (trx) => {
      await trx.raw('select pg_advisory_xact_lock(?)', [partitionLock]);
      const made = new Set(await dayPartitions(trx, table).list()); // another replica may have been faster
      for (const day of wanted) if (!made.has(day)) await makePartition(trx, day);
    });
  }

  /**
   * Created first, then attached: `create … partition of` would wait for all readers and writers of the table, and block
   * them.
   */
  async function makePartition(trx: Knex, day: number): Promise<void> {
    await trx.raw('create table ?? (like ?? including all)', [nameOf(day), table]);
    await trx.raw(`alter table ?? attach partition ?? for values from ('${dayOf(day)}') to ('${dayOf(day + dayMs)}')`, [
      table,
      nameOf(day),
    ]);
  }

  return {
    list,
    make,

    /** Creates the partitions of today and the next days, and of this many days before; default none. */
    async makeAhead(daysBack = 0): Promise<void> {
      const first = (await today()) - daysBack * dayMs;
      await make(Array.from({ length: daysBack + 1 + daysAhead }, (_each, index) => first + index * dayMs));
    },

    /** Drops the days that ended more than `retentionDays` days ago. Returns their number. */
    async dropOlder(retentionDays: number): Promise<number> {
      const oldestKept = (await today()) - retentionDays * dayMs;
      const old = (await list()).filter((day) => day < oldestKept);
      for (const day of old)
        await db.transaction(async (trx) => {
          await trx.raw('select pg_advisory_xact_lock(?)', [partitionLock]);
          await trx.raw(`set local lock_timeout = '${dropWait}'`);
          await trx.raw('drop table if exists ??', [nameOf(day)]);
        });
      return old.length;
    },
  };
}
