import type { Knex } from 'knex';
import { advisoryLocks } from './advisory-locks.ts';
import { isLockTimeout } from './faults.ts';

const dayMs = 86_400_000;
/**
 * How long a drop waits for readers of a partition, while it blocks everything that comes later. The next maintenance
 * retries.
 */
const dropWait = '500ms';
/** For readers of a partition that is to be dropped. Others who want to read it wait for as long. */
const readerWait = '100ms';
const undefinedTable = '42P01';
/** How long it waits for autovacuum before that, which blocks nobody: autovacuum gives way after `deadlock_timeout`, 1 s. */
const vacuumWait = '5s';

interface PartitionSettings {
  periodMs?: number; // of a partition; divides a day, or is one. Default a day
  ahead?: number; // partitions after the current one. Default 2
  /** Storage parameters of a partition; default none. */
  storage?: string;
}

/**
 * The partitions of `table`, which is partitioned by range of a time column: one per period, in UTC by the database's
 * clock. Names of tables come from code, never from a caller.
 */
export function timePartitions(
  db: Knex,
  table: string,
  { periodMs = dayMs, ahead = 2, storage }: PartitionSettings = {},
) {
  // A day's partition is named by its date, a shorter one also by its time.
  const nameOf = (ms: number): string =>
    `${table}_${new Date(ms)
      .toISOString()
      .slice(0, periodMs < dayMs ? 16 : 10)
      .replaceAll(/[-:T]/g, '_')}`;

  /** First instants of the periods that have a partition, oldest first. */
  async function list(): Promise<number[]> {
    const { rows } = await db.raw<{ rows: { name: string }[] }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = ?::regclass order by c.relname`,
      [table],
    );
    return rows.map(({ name }) => {
      const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = name
        .slice(table.length + 1)
        .split('_')
        .map(Number);
      return Date.UTC(year, month - 1, day, hour, minute);
    });
  }

  /** When the current period began. */
  async function current(): Promise<number> {
    const { rows } = await db.raw<{ rows: [{ now: Date }] }>('select now()');
    return rows[0].now.getTime() - (rows[0].now.getTime() % periodMs);
  }

  /** Creates the missing partitions of these periods (their first instants, ms). */
  async function make(wanted: readonly number[]): Promise<void> {
    const there = new Set(await list());
    if (wanted.every((start) => there.has(start))) return;
    await db.transaction(async (trx) => {
      await trx.raw('select pg_advisory_xact_lock(?)', [advisoryLocks.partitions]);
      const made = new Set(await timePartitions(trx, table, { periodMs }).list()); // another replica may have been faster
      for (const start of wanted) if (!made.has(start)) await makePartition(trx, start);
    });
  }

  /**
   * Created first, then attached: `create … partition of` would wait for all readers and writers of the table, and block
   * them.
   */
  async function makePartition(trx: Knex, start: number): Promise<void> {
    await trx.raw(`create table ?? (like ?? including all)${storage ? ` with (${storage})` : ''}`, [
      nameOf(start),
      table,
    ]);
    const bounds = [start, start + periodMs].map((ms) => `'${new Date(ms).toISOString()}'`);
    await trx.raw(`alter table ?? attach partition ?? for values from (${bounds[0]}) to (${bounds[1]})`, [
      table,
      nameOf(start),
    ]);
  }

  /** Only one replica drops, and no autovacuum of the partition is in its way. */
  async function prepareDrop(trx: Knex, start: number): Promise<void> {
    await trx.raw('select pg_advisory_xact_lock(?)', [advisoryLocks.partitions]);
    await trx.raw(`set local lock_timeout = '${vacuumWait}'`);
    await trx.raw('alter table if exists ?? set (autovacuum_enabled = false, toast.autovacuum_enabled = false)', [
      nameOf(start),
    ]);
    await trx.raw(`set local lock_timeout = '${dropWait}'`);
  }

  /**
   * A drop locks the whole table while it waits for readers of the partition, so a reader that takes long, as a backup does, would
   * stop all writes again and again. The lock ends with the savepoint: a reader that has locked the table waits for the partition,
   * and the drop would wait for that reader.
   */
  async function isFree(trx: Knex.Transaction, start: number): Promise<boolean> {
    const savepoint = await trx.transaction();
    try {
      await savepoint.raw(`set local lock_timeout = '${readerWait}'`);
      await savepoint.raw('lock table ?? in access exclusive mode', [nameOf(start)]);
      return true;
    } catch (error) {
      if ((error as { code?: unknown }).code === undefinedTable) return true; // another replica has dropped it
      if (isLockTimeout(error)) return false;
      throw error;
    } finally {
      await savepoint.rollback();
    }
  }

  /** Returns false if others read the partition: it stays. @throws the lock timeout of those who read the whole table for long */
  async function dropIfFree(trx: Knex.Transaction, start: number): Promise<boolean> {
    await prepareDrop(trx, start);
    if (!(await isFree(trx, start))) return false;
    await trx.raw('drop table if exists ??', [nameOf(start)]);
    return true;
  }

  /** Leaves those that are being read for a later call, and all after a wait for a reader of the whole table. */
  async function drop(starts: readonly number[]): Promise<void> {
    try {
      for (const start of starts) await db.transaction((trx) => dropIfFree(trx, start));
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
  }

  return {
    nameOf,
    list,
    make,
    drop,

    /** Drops a period at the end of a transaction that has more to do. @throws while others read the period */
    async dropIn(trx: Knex.Transaction, start: number): Promise<void> {
      const isDropped = await dropIfFree(trx, start).catch((error: unknown) => {
        if (isLockTimeout(error)) return false;
        throw error;
      });
      if (!isDropped) throw new Error(`${nameOf(start)} is being read, and cannot be dropped yet`);
    },

    /** Creates the partitions of the current period and the next ones, and of this many before; default none. */
    async makeAhead(back = 0): Promise<void> {
      const first = (await current()) - back * periodMs;
      await make(Array.from({ length: back + 1 + ahead }, (_each, index) => first + index * periodMs));
    },

    /** Drops the periods that ended more than so many periods ago. Returns their number. */
    async dropOlder(periods: number): Promise<number> {
      const oldestKept = (await current()) - periods * periodMs;
      const old = (await list()).filter((start) => start < oldestKept);
      await drop(old);
      return old.length;
    },
  };
}
