import type { Knex } from 'knex';
import { slices } from '../../kernel/slices.ts';
import { plainArray } from '../../platform/db/arrays.ts';
import type { LogMark } from '../model.ts';
import { entriesOf, type Entry } from './format.ts';
import { readGroups } from './rows.ts';
import { findStreams, type StreamOwner } from './streams.ts';

/** Robots whose rows one statement reads: those of more would keep the event loop for long. */
const robotsAtATime = 1_000;

/** How far the records of a robot are stored. */
export interface RobotPlace {
  epoch: number; // of its newest link; 0 if it never had one
  stream: number; // as a member of its fleet; 0 if none was given a number yet
  seq: number; // its newest record's; 0 if there is none
  receivedAtMs: number; // of that record
  storedSeqs: Map<string, number>; // by spool, the one that moved last at the end
}

interface Row {
  robot_id: string;
  epoch: number | null;
  stream: number | null;
  seq: number | null;
  received_at: Date | null;
}

/**
 * The places of robots; without those that do not exist. What is merged is in tables, the rest follows from the segments
 * after it. `db` must be a transaction with one snapshot.
 */
export async function readPlaces(
  db: Knex,
  orgId: string,
  robotIds: readonly string[],
): Promise<ReadonlyMap<string, RobotPlace>> {
  const places = new Map<string, RobotPlace>();
  const all = new Map<number, StreamOwner>();
  for (let start = 0; start < robotIds.length; start += robotsAtATime) {
    const some = robotIds.slice(start, start + robotsAtATime);
    for (const [id, place] of await readMerged(db, orgId, some)) places.set(id, place);
    for (const [number, owner] of await findStreams(db, { orgId, robotIds: some })) all.set(number, owner);
  }
  const numbers = [...all.keys()];
  const slice = slices();
  for (let sinceMs: number | undefined, isAll = numbers.length === 0; !isAll;) {
    const read = await readGroups(db, orgId, {
      filter: { sinceMs },
      order: 'asc',
      streams: numbers,
      bodies: false,
      bytes: Infinity,
      records: Infinity,
    });
    for (const { head, receivedAtMs } of read.groups) {
      for (const entry of entriesOf(head)) {
        const place = places.get(all.get(entry.stream)?.robotId ?? '');
        if (place) advance(place, entry, receivedAtMs);
      }
      await slice();
    }
    isAll = read.isAll;
    sinceMs = (read.lastMs ?? 0) + 1;
  }
  return places;
}

/** A robot's newest record; number 0 if there is none. `db` must be a transaction with one snapshot. */
export async function newestMark(db: Knex, orgId: string, robotId: string): Promise<LogMark> {
  const place = (await readMerged(db, orgId, [robotId])).get(robotId);
  const streams = await findStreams(db, { orgId, robotIds: [robotId] });
  const { groups } = await readGroups(db, orgId, {
    filter: {},
    order: 'desc',
    streams: [...streams.keys()],
    bodies: false,
    segments: 1,
    bytes: 0,
    records: 0,
  });
  let mark: LogMark = { seq: place?.seq ?? 0, atMs: place?.receivedAtMs || undefined };
  for (const { head, receivedAtMs: atMs } of groups)
    for (const { stream, firstSeq, records } of entriesOf(head)) {
      const seq = firstSeq + records - 1;
      if (streams.has(stream) && seq > mark.seq) mark = { seq, atMs };
    }
  return mark;
}

async function readMerged(db: Knex, orgId: string, robotIds: readonly string[]): Promise<Map<string, RobotPlace>> {
  const bindings = { orgId, robots: plainArray(robotIds) };
  // One look into an index each: joined as tables, the planner may read all of them. Fleets are compared so that their own
  // index does not fit: before its first statistics, Postgres would read the streams of a whole fleet for each robot.
  const { rows } = await db.raw<{ rows: Row[] }>(
    `select r.id as robot_id, l.epoch, s.number as stream, c.seq, c.received_at
       from unnest(:robots::uuid[]) w (id)
      cross join lateral (select id, fleet_id from robots where org_id = :orgId and id = w.id offset 0) r
       left join lateral (select epoch from robot_links where org_id = :orgId and robot_id = r.id offset 0) l on true
       left join lateral (
         select number from log_streams where org_id = :orgId and robot_id = r.id and fleet_id is not distinct from r.fleet_id offset 0
       ) s on true
       left join lateral (select seq, received_at from log_counters where org_id = :orgId and robot_id = r.id offset 0) c on true`,
    bindings,
  );
  const { rows: heads } = await db.raw<{ rows: { robot_id: string; spool: string; stored_seq: number }[] }>(
    `select h.robot_id, h.spool, h.stored_seq from unnest(:robots::uuid[]) w (id)
      cross join lateral (select * from log_heads where org_id = :orgId and robot_id = w.id offset 0) h`,
    bindings,
  );
  const places = new Map(rows.map((row) => [row.robot_id, placeOf(row)]));
  for (const { robot_id: robotId, spool, stored_seq: seq } of heads) places.get(robotId)?.storedSeqs.set(spool, seq);
  return places;
}

const placeOf = (row: Row): RobotPlace => ({
  epoch: row.epoch ?? 0,
  stream: row.stream ?? 0,
  seq: row.seq ?? 0,
  receivedAtMs: row.received_at?.getTime() ?? 0,
  storedSeqs: new Map(),
});

/** The records of an entry are stored too. */
export function advance(
  place: RobotPlace,
  { spool, toSeq, firstSeq, records }: Pick<Entry, 'spool' | 'toSeq' | 'firstSeq' | 'records'>,
  receivedAtMs: number,
): void {
  place.seq = Math.max(place.seq, firstSeq + records - 1);
  place.receivedAtMs = Math.max(place.receivedAtMs, receivedAtMs);
  const before = place.storedSeqs.get(spool) ?? 0;
  if (place.storedSeqs.size > 1) place.storedSeqs.delete(spool); // keeps them in the order in which they moved
  place.storedSeqs.set(spool, Math.max(before, toSeq));
}
