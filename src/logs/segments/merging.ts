import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { createLogCounter, logStatPartitions, logStatService } from '../../log-stats/service.ts';
import { slices } from '../../kernel/slices.ts';
import { logPartitions } from '../partitions.ts';
import { chunkBuilder } from './chunk-builder.ts';
import { DamagedError, decodeBody, decodeHead, type Entry, type TextEntry } from './format.ts';
import { writePlaces } from './write-places.ts';
import { advance, type RobotPlace } from './places.ts';
import { streamCache, type StreamCache } from './stream-cache.ts';
import { findStreams, streamsIn, type StreamOwner } from './streams.ts';
import { carefulReader } from './careful-window.ts';
import { isUnreadable, type NumberRange } from './damage.ts';
import { isDueSql, windowReader, type Window, type WindowReader, type WindowRow } from './window.ts';
import { dayMs } from '../model.ts';

/** Text that is in memory at a time, approximately: each collection of the new space copies what is there of it. */
const partBytes = 2 * 1_048_576;
/** Text that one statement reads at most, approximately: a part can be all of its window, if that is of one robot. */
const readBytes = 16 * 1_048_576;
/** So often it rests, for as long as it worked: the transaction is idle meanwhile, and Postgres ends one that is for long. */
const workMs = 100;
const maxRestMs = 5_000;
/** Any constant. One replica at a time merges an org. */
const mergeLock = 720_193;

interface MergeSettings {
  log: Logger;
  streams?: StreamCache; // default: an empty one
  /** So many records were damaged, and are lost; at least, where nobody knows. */
  onLost(records: number): void;
  signal?: AbortSignal | undefined;
}

/**
 * Moves records from segments into chunks of one robot each. A record keeps its number and its `received_at`. One
 * transaction moves a window of segments, and writes how far it came: a merger that is killed begins its window again.
 */
export function segmentMerging(db: Knex, { log, streams = streamCache(), onLost, signal }: MergeSettings) {
  /** Returns false if nothing is due, or another replica is merging the org. */
  async function mergeWindow(orgId: string, isAllDue: boolean, reader: WindowReader): Promise<boolean> {
    let lost: readonly Loss[] = [];
    let unreadable: readonly NumberRange[] = [];
    // Afterwards no segment of the org appears with a number up to this one.
    const { rows: numbers } = await db.raw<{ rows: [{ last: number }] }>(
      'select s.last_value as last from log_segment_ids s, pg_advisory_xact_lock(log_org_lock(?::uuid))',
      [orgId],
    );
    const hasMerged = await db.transaction(async (trx) => {
      const { rows } = await trx.raw<{ rows: [{ is_mine: boolean }] }>(
        `select pg_try_advisory_xact_lock(?, hashtext(?)) as is_mine, set_config('logs.merging', 'on', true)`,
        [mergeLock, orgId],
      );
      if (!rows[0].is_mine) return false;
      const window = await reader.findWindow(trx, orgId, { lastId: numbers[0].last, isAllDue });
      if (window.lastId === 0) return false;
      const times = window.rows.map(({ received_at: at }) => at.getTime());
      const lastMs = times.at(-1);
      if (lastMs !== undefined) {
        // The clock of the database may have been wrong when they were stored.
        const day = Math.floor(lastMs / dayMs) * dayMs;
        await logPartitions(db).make([day]);
        await logStatPartitions(db).make([day]);
        lost = await moveWindow(trx, orgId, window, reader);
      }
      ({ unreadable } = window);
      const { rowCount } = await trx.raw<{ rowCount: number }>(
        'update log_orgs set merged_id = :id, merged_to = greatest(merged_to, :to::timestamptz) where org_id = :orgId',
        {
          orgId,
          id: window.lastId,
          to: lastMs === undefined ? null : new Date(times.reduce((latest, ms) => Math.max(latest, ms))),
        },
      );
      if (rowCount === 0) throw new Error('the org was erased while its log records were merged');
      return true;
    });
    for (const { segment, records } of lost) {
      log.error({ orgId, segment, records }, 'log records are damaged in the database, and are lost');
      onLost(records);
    }
    for (const { first, last } of unreadable) {
      log.error(
        { orgId, segment: first, ...(last > first && { lastSegment: last }) },
        'a segment of log records cannot be read in the database, and is lost',
      );
      onLost(1);
    }
    return hasMerged;
  }

  async function moveWindow(trx: Knex, orgId: string, window: Window, reader: WindowReader): Promise<Loss[]> {
    const known = await streams.findAll(trx, orgId);
    const places = new Map<string, RobotPlace>();
    const counter = createLogCounter();
    const moved = new Map<number, number>(); // records, by segment
    const parts = countParts(window.rows);
    const slice = slices();
    const sliceOfLines = slices(true);
    let startedAt = performance.now();
    const rest = async () => {
      await sleep(Math.min(performance.now() - startedAt, maxRestMs)); // so it works at most half of the time
      startedAt = performance.now();
    };
    for (let part = 0; part < parts; part += 1) {
      const builder = chunkBuilder(trx, orgId);
      const isOfPart = ({ stream }: Entry) => (stream & (parts - 1)) === part;
      for (const rows of runsOf(window.rows)) {
        signal?.throwIfAborted();
        const groups = await reader.readPart(trx, orgId, rows, { part, parts });
        const owners = known ?? (await findStreams(trx, { orgId, numbers: await streamsIn(groups, isOfPart) }));
        for (const { id, received_at: at, head, body } of groups) {
          for (const entry of readGroup(head, body).filter(isOfPart)) {
            const owner = owners.get(entry.stream);
            if (!owner) continue; // damaged: every stream has an owner
            advance(placeIn(places, owner), entry, at.getTime());
            if (!hasText(entry)) continue;
            moved.set(id, (moved.get(id) ?? 0) + entry.records);
            for (const line of linesOf(entry.text)) {
              counter.add(owner.robotId, owner.fleetId, at.getTime(), line);
              const pause = sliceOfLines();
              if (pause) await pause;
            }
            await builder.add(owner, entry, at.getTime());
          }
          await slice();
          if (performance.now() - startedAt > workMs) await rest();
        }
      }
      await builder.end();
      await rest();
    }
    await writePlaces(trx, orgId, places);
    const stats = logStatService(trx);
    await stats.add(orgId, counter.counts());
    await stats.setCountedTo([{ orgId, at: window.rows.at(-1)?.received_at ?? new Date() }]);
    return window.rows
      .map(({ id, records }) => ({ segment: id, records: records - (moved.get(id) ?? 0) }))
      .filter(({ records }) => records > 0);
  }

  async function mergeOrg(orgId: string, isAllDue: boolean): Promise<void> {
    let reader = windowReader;
    for (let hasMore = true; hasMore;) {
      signal?.throwIfAborted();
      try {
        hasMore = await mergeWindow(orgId, isAllDue, reader);
      } catch (error) {
        if (!isUnreadable(error) || reader === carefulReader) throw error;
        reader = carefulReader;
      }
    }
  }

  /** Those with something to merge, and maybe others. */
  async function findOrgs(isAllDue: boolean): Promise<string[]> {
    try {
      const { rows } = await db.raw<{ rows: { org_id: string }[] }>(
        `select o.org_id from log_orgs o cross join lateral (
           select s.* from log_segments s where s.org_id = o.org_id and s.id > o.merged_id order by s.id limit 1
         ) s
          where :isAllDue or ${isDueSql} order by o.org_id`,
        { isAllDue },
      );
      return rows.map(({ org_id: orgId }) => orgId);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      return db('log_orgs').orderBy('org_id').pluck<string[]>('org_id');
    }
  }

  return {
    /** Merges what is due of every org; everything, if `isAllDue`. @throws the first error, after all orgs */
    async run(isAllDue: boolean): Promise<void> {
      const errors: unknown[] = [];
      for (const orgId of await findOrgs(isAllDue)) {
        signal?.throwIfAborted();
        try {
          await mergeOrg(orgId, isAllDue);
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw errors[0];
    },
  };
}

/** Records of a segment that are lost. */
interface Loss {
  segment: number;
  records: number;
}

/** A power of two. More parts than the largest segment has groups would read and inflate the same groups again. */
function countParts(rows: readonly WindowRow[]): number {
  const bytes = rows.reduce((total, row) => total + row.bytes, 0);
  const groups = rows.reduce((most, row) => Math.max(most, row.groups), 1);
  return 2 ** Math.ceil(Math.log2(Math.max(1, Math.min(bytes / partBytes, groups))));
}

/** The segments in order, as many together as one statement may read. */
function* runsOf(rows: readonly WindowRow[]): Generator<WindowRow[]> {
  let run: WindowRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    run.push(row);
    bytes += row.bytes;
    if (bytes < readBytes) continue;
    yield run;
    run = [];
    bytes = 0;
  }
  if (run.length > 0) yield run;
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end);
    start = end + 1;
  }
}

/** Without text where it is damaged, and without entries if nobody knows whose they were. */
function readGroup(head: Buffer, body: Buffer): readonly (Entry & Partial<TextEntry>)[] {
  let entries: readonly Entry[] = [];
  try {
    entries = decodeHead(head);
    return decodeBody(entries, body);
  } catch (error) {
    if (error instanceof DamagedError) return entries;
    throw error;
  }
}

const hasText = (entry: Entry & Partial<TextEntry>): entry is TextEntry => entry.text !== undefined;

function placeIn(places: Map<string, RobotPlace>, { robotId }: StreamOwner): RobotPlace {
  const place = places.get(robotId) ?? { epoch: 0, stream: 0, seq: 0, receivedAtMs: 0, storedSeqs: new Map() };
  places.set(robotId, place);
  return place;
}
