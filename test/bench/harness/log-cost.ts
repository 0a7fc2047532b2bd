import type { Knex } from 'knex';
import { logStatService } from '../../../src/log-stats/service.ts';
import { segmentMerging } from '../../../src/logs/segments/merging.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { usageOf } from './proc.ts';

/** How often the counts of merged lines are added to their hours and days. It costs the same for more lines of an agent. */
const rollUpEverySeconds = 600;

/** What a log line cost. */
export interface Cost {
  cpuUs: number; // this process and Postgres together
  walBytes: number;
  bytes: number; // of tables, with indexes and empty room
  bodyBytes: number; // of what is deflated; 0 for rows
}

export const sum = (one: Cost, other: Cost): Cost => ({
  cpuUs: one.cpuUs + other.cpuUs,
  walBytes: one.walBytes + other.walBytes,
  bytes: one.bytes + other.bytes,
  bodyBytes: one.bodyBytes + other.bodyBytes,
});

type Worked = Pick<Cost, 'cpuUs' | 'walBytes'> & { linesPerSecond: number };

/** CPU is user and system time of this process and of every process of Postgres that is there before and after. */
export async function measureLines(db: Knex, lines: number, work: () => Promise<void>): Promise<Worked> {
  const { rows: backends } = await db.raw<{ rows: { pid: number }[] }>('select pid from pg_stat_activity');
  const cpuMs = async () => {
    const used = await Promise.all(backends.map(({ pid }) => usageOf(pid).catch(() => ({ cpuMs: 0 }))));
    const own = process.cpuUsage();
    return used.reduce((total, { cpuMs: ms }) => total + ms, (own.user + own.system) / 1_000);
  };
  const walBefore = await walPosition(db);
  const before = await cpuMs();
  const startedAt = performance.now();
  await work();
  const wallMs = performance.now() - startedAt;
  return {
    linesPerSecond: (lines * 1_000) / wallMs,
    cpuUs: (((await cpuMs()) - before) * 1_000) / lines,
    walBytes: ((await walPosition(db)) - walBefore) / lines,
  };
}

/** Deletes all log lines, with what is counted of them. */
export const clearLogs = (db: Knex): Knex.Raw =>
  db.raw(
    'truncate log_segments, log_chunks, log_heads, log_counters, log_stats, log_stats_by_fleet, log_stats_pending',
  );

/**
 * What merging costs for each of these lines, with its share of adding counts to hours and days. A frame of an agent is a
 * second's worth.
 */
export async function measureMerging(
  db: Knex,
  { lines, framesPerAgent }: { lines: number; framesPerAgent: number },
): Promise<Pick<Cost, 'cpuUs' | 'walBytes'>> {
  const merging = segmentMerging(db, { log: createLogger('silent', []), onLost: () => undefined });
  const merged = await measureLines(db, lines, () => merging.run(true));
  const added = await measureLines(db, lines, () => logStatService(db).rollUp({ isAllDue: true }));
  const share = Math.min(1, framesPerAgent / rollUpEverySeconds);
  const together = (figure: 'cpuUs' | 'walBytes') => merged[figure] + added[figure] * share;
  return { cpuUs: together('cpuUs'), walBytes: together('walBytes') };
}

async function walPosition(db: Knex): Promise<number> {
  const { rows } = await db.raw<{ rows: [{ at: number }] }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as at`,
  );
  return rows[0].at;
}

/** Of a partitioned table, for each of so many lines. */
export async function sizesOf(db: Knex, table: string, lines: number): Promise<Pick<Cost, 'bytes' | 'bodyBytes'>> {
  const { rows } = await db.raw<{ rows: [{ bytes: number }] }>(
    `select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits where inhparent = ?::regclass`,
    [table],
  );
  const bodies = table === 'log_rows' ? 0 : await bodyBytes(db, table);
  return { bytes: rows[0].bytes / lines, bodyBytes: bodies / lines };
}

async function bodyBytes(db: Knex, table: string): Promise<number> {
  const { rows } = await db.raw<{ rows: [{ bytes: number }] }>(
    'select sum(octet_length(body))::float8 as bytes from ??',
    [table],
  );
  return rows[0].bytes;
}
