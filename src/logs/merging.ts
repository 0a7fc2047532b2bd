import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Knex } from 'knex';
import { advisoryLocks } from '../platform/db/advisory-locks.ts';
import { plainArray } from '../platform/db/arrays.ts';
import { joinTexts, packText, unpackText } from './body.ts';
import { messagesOf } from './line-message.ts';
import { spanEnd, spanMs } from './model.ts';
import { buildTextFilter } from './text-filter.ts';

/** How long after its end a span is merged: nothing of it is in progress any more. */
const settleMs = 60_000;
/**
 * Maximum size of a merged chunk, in bytes of text. Deflating gains little beyond it, and a fleet's page opens one
 * chunk of each robot.
 */
const mergedBytes = 32_768;
const robotsAtATime = 50;
const rowsAtATime = 5_000;

interface Row {
  org_id: string;
  robot_id: string;
  fleet_id: string;
  first_at: Date;
  received_at: Date;
  first_seq: number;
  last_seq: number;
  records: number;
  bytes: number;
  max_level: number;
  body: Buffer;
}

interface MergedRow extends Row {
  text_filter: Buffer;
}

interface Due {
  org_id: string;
  robot_id: string;
  merged_until: Date;
}

/**
 * Merges the many small chunks of robots that were stored while a replica of the previous release was alive, one for
 * each second with records, into few large ones. A record keeps its
 * number and its `received_at`. A reader sees either the old chunks or the new one.
 */
export function logMerging(db: Knex) {
  /** Merges the chunks of a few robots. Returns false if nothing is due now, or another replica is merging. */
  const step = (): Promise<boolean> =>
    db.transaction(async (trx) => {
      const { rows } = await trx.raw<{ rows: [{ mine: boolean; now: Date }] }>(
        `select pg_try_advisory_xact_lock(?) as mine, least(coalesce((select since from log_format), 'epoch'), clock_timestamp()) as now`,
        [advisoryLocks.chunkMerging],
      );
      const [{ mine, now }] = rows;
      if (!mine) return false;
      const closedAt = new Date(spanEnd(now.getTime() - settleMs) - spanMs);
      const due = await findDue(trx, closedAt);
      if (due.length === 0) return false;
      const chunks = await readSmall(trx, due, closedAt);
      const groups = groupChunks(chunks);
      await replace(trx, groups);
      await note(trx, doneUntil(due, chunks, groups, closedAt));
      return true;
    });

  return {
    /** Merges what is due, in steps of a few milliseconds. */
    async run(): Promise<void> {
      while (await step());
    },
  };
}

/** Robots that sent something since their chunks were last merged. */
function findDue(trx: Knex, closedAt: Date): Promise<Due[]> {
  return trx<Due>('log_counters')
    .select('org_id', 'robot_id', 'merged_until')
    .where('merged_until', '<', closedAt)
    .whereRaw('received_at >= merged_until')
    .orderBy(['org_id', 'robot_id'])
    .limit(robotsAtATime);
}

async function readSmall(trx: Knex, due: readonly Due[], closedAt: Date): Promise<Row[]> {
  const { rows } = await trx.raw<{ rows: Row[] }>(
    `select c.org_id, c.robot_id, fleet_id, first_at, received_at, first_seq, last_seq, records, bytes, max_level, body
       from unnest(?::uuid[], ?::uuid[], ?::timestamptz[]) as due (org_id, robot_id, merged_until)
       join lateral (
         select * from log_chunks
          where org_id = due.org_id and robot_id = due.robot_id and received_at >= due.merged_until and received_at < ? and bytes < ?
       ) c on true
      order by c.org_id, c.robot_id, first_seq limit ?`,
    [...keysOf(due), closedAt, mergedBytes, rowsAtATime],
  );
  return rows;
}

const keysOf = (due: readonly Due[]): string[] => [
  plainArray(due.map(({ org_id }) => org_id)),
  plainArray(due.map(({ robot_id }) => robot_id)),
  plainArray(due.map(({ merged_until }) => merged_until.toISOString())),
];

/** Runs of at least two chunks that may become one: consecutive in their numbers, of one fleet and one span. */
function groupChunks(chunks: readonly Row[]): Row[][] {
  const groups: Row[][] = [];
  let bytes = 0;
  for (const chunk of chunks) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    bytes += chunk.bytes;
    if (group && last && bytes <= mergedBytes && areNeighbours(last, chunk)) group.push(chunk);
    else {
      groups.push([chunk]);
      bytes = chunk.bytes;
    }
  }
  return groups.filter(({ length }) => length > 1);
}

const areNeighbours = (a: Row, b: Row): boolean =>
  a.org_id === b.org_id &&
  a.robot_id === b.robot_id &&
  a.fleet_id === b.fleet_id &&
  a.last_seq + 1 === b.first_seq &&
  spanEnd(a.first_at.getTime()) === spanEnd(b.received_at.getTime());

/** @throws if a chunk changed since it was read: the transaction must not continue */
async function replace(trx: Knex, groups: readonly Row[][]): Promise<void> {
  if (groups.length === 0) return;
  const merged: MergedRow[] = [];
  for (const group of groups) {
    merged.push(await merge(group)); // about 0.5 ms
    await nextTurn();
  }
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `delete from log_chunks c using unnest(?::uuid[], ?::uuid[], ?::timestamptz[], ?::timestamptz[], ?::bigint[], ?::bigint[])
       as merged (org_id, robot_id, first_at, received_at, first_seq, last_seq)
      where c.org_id = merged.org_id and c.robot_id = merged.robot_id
        and c.received_at between merged.first_at and merged.received_at
        and c.first_seq >= merged.first_seq and c.last_seq <= merged.last_seq`,
    [
      plainArray(merged.map(({ org_id }) => org_id)),
      plainArray(merged.map(({ robot_id }) => robot_id)),
      plainArray(merged.map(({ first_at }) => first_at.toISOString())),
      plainArray(merged.map(({ received_at }) => received_at.toISOString())),
      plainArray(merged.map(({ first_seq }) => first_seq)),
      plainArray(merged.map(({ last_seq }) => last_seq)),
    ],
  );
  const expected = groups.reduce((total, { length }) => total + length, 0);
  if (rowCount !== expected) throw new Error(`${rowCount} log chunks were there to merge, not ${expected}`);
  await trx.batchInsert('log_chunks', merged, 500);
}

async function merge(group: readonly Row[]): Promise<MergedRow> {
  const [first] = group;
  const last = group.at(-1);
  if (!first || !last) throw new Error('there is nothing to merge');
  const parts = group.map(({ received_at, bytes, body }) => ({
    receivedAtMs: received_at.getTime(),
    text: unpackText(body, bytes),
  }));
  const text = joinTexts(parts);
  return {
    ...last,
    ...(await packText(text)),
    text_filter: buildTextFilter(messagesOf(text)),
    first_at: first.first_at,
    first_seq: first.first_seq,
    records: group.reduce((total, { records }) => total + records, 0),
    max_level: Math.max(...group.map(({ max_level }) => max_level)),
  };
}

/**
 * How far each robot is merged now. If more chunks are left than were read, the last robot continues in the span of the
 * last chunk.
 */
function doneUntil(due: readonly Due[], chunks: readonly Row[], groups: readonly Row[][], closedAt: Date): Due[] {
  const last = chunks.at(-1);
  if (!last || chunks.length < rowsAtATime || groups.length === 0)
    return due.map((robot) => ({ ...robot, merged_until: closedAt }));
  const place = due.findIndex(({ org_id, robot_id }) => org_id === last.org_id && robot_id === last.robot_id);
  const spanStart = new Date(spanEnd(last.received_at.getTime()) - spanMs);
  return [
    ...due.slice(0, place).map((robot) => ({ ...robot, merged_until: closedAt })),
    ...due.slice(place, place + 1).map((robot) => ({ ...robot, merged_until: maxOf(robot.merged_until, spanStart) })),
  ];
}

const maxOf = (a: Date, b: Date): Date => (a > b ? a : b);

async function note(trx: Knex, done: readonly Due[]): Promise<void> {
  await trx.raw(
    `update log_counters c set merged_until = done.merged_until
       from unnest(?::uuid[], ?::uuid[], ?::timestamptz[]) as done (org_id, robot_id, merged_until)
      where c.org_id = done.org_id and c.robot_id = done.robot_id`,
    keysOf(done),
  );
}
