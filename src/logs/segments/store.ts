import type { Knex } from 'knex';
import { eachInSlices } from '../../kernel/slices.ts';
import { plainArray } from '../../platform/db/arrays.ts';
import { byOrg } from '../by-org.ts';
import type { Delivery, LogStore, StoreOutcome } from '../delivery.ts';
import { keepLogPartitions } from '../partitions.ts';
import { segmentFormat, type TextEntry } from './format.ts';
import { packSegment } from './pack.ts';
import { advance, readPlaces, type RobotPlace } from './places.ts';
import { logQuota } from './quota.ts';

/** What a replica knows of an org. It holds for robots that did not change after the moment `seen`. */
interface OrgView {
  seen: Moment;
  places: Map<string, RobotPlace>; // by robot
}

interface Moment {
  snapshot: string; // a pg_snapshot
  at: string; // a timestamptz
}

interface StoreRow {
  outcome: 'stored' | 'changed' | 'outdated' | 'full';
  received: Date;
  now_seen: string;
  now_seen_at: string;
  changed: string[];
}

/** A delivery that can be stored after what is known of its robot. */
interface OpenDelivery {
  delivery: Delivery;
  place: RobotPlace;
  entry: TextEntry;
}

/** Robots of an org whose places are remembered. A forgotten one is read again. */
const maxPlaces = 50_000;

/**
 * Stores records as segments, one per org and call. It remembers how far each robot is stored, so it reads and writes
 * nothing else. That is exact: a segment is refused if a robot in it has another newest link, was moved or removed, or was
 * read again since what is remembered was read.
 */
export function segmentStore(db: Knex): LogStore {
  const views = new Map<string, OrgView>(); // by org
  const quota = logQuota(db);

  /** Adds the outcomes of what is not stored. */
  async function storeOfOrg(
    orgId: string,
    deliveries: readonly Delivery[],
    ignoresQuota: boolean,
    others: Map<Delivery, StoreOutcome>,
  ) {
    for (let isDone = false; !isDone;) {
      const view = views.get(orgId);
      const open: OpenDelivery[] = [];
      await eachInSlices(deliveries, (delivery) => {
        if (others.has(delivery)) return;
        const place = view?.places.get(delivery.robotId);
        const outcome = outcomeBefore(place, delivery);
        if (!place || outcome) others.set(delivery, outcome ?? 'behind');
        else open.push({ delivery, place, entry: entryOf(delivery, place) });
      });
      if (open.length > 0 && quota.isFull(orgId) && !ignoresQuota) {
        const refused = open.map(({ delivery }) => delivery);
        const outcome = (await quota.refuse(orgId, refused)) ? 'refused' : 'reopened';
        for (const delivery of refused) others.set(delivery, outcome);
        return;
      }
      isDone = !view || open.length === 0 || (await storeOpen(orgId, view, open, ignoresQuota));
    }
  }

  /** Returns false if a robot has changed, which is then forgotten, or if the org has stored its quota. */
  async function storeOpen(
    orgId: string,
    view: OrgView,
    open: readonly OpenDelivery[],
    ignoresQuota: boolean,
  ): Promise<boolean> {
    const notBeforeMs = open.reduce((latest, { place }) => Math.max(latest, place.receivedAtMs), 0);
    const segment = await packSegment(open.map(({ entry }) => entry));
    const { outcome, received, ...now } = await callStore(db, [
      ...[
        orgId,
        view.seen.snapshot,
        view.seen.at,
        new Date(notBeforeMs),
        segmentFormat,
        segment.records,
        segment.bytes,
      ],
      ...[segment.maxLevel, segment.firstStream, segment.streams, segment.levels, plainArray(segment.places)],
      ...[segment.head, segment.body, ...(ignoresQuota ? [] : [bytesOf(open)])],
    ]).catch((error: unknown) => {
      for (const { delivery } of open) view.places.delete(delivery.robotId); // it may have been stored
      throw error;
    });
    if (outcome === 'full') {
      quota.setFull(orgId);
      return false;
    }
    if (outcome === 'outdated') {
      views.delete(orgId);
      return false;
    }
    view.seen = { snapshot: now.now_seen, at: now.now_seen_at };
    if (outcome === 'stored') await eachInSlices(open, ({ place, entry }) => advance(place, entry, received.getTime()));
    for (const robotId of now.changed) view.places.delete(robotId);
    return outcome === 'stored';
  }

  async function readOfOrg(orgId: string, robotIds: readonly string[]): Promise<void> {
    await db.raw('select take_log_robots(:orgId::uuid, :robots::uuid[])', { orgId, robots: plainArray(robotIds) });
    const view = views.get(orgId);
    await db.transaction(
      async (trx) => {
        await keepLogPartitions(trx);
        const { rows } = await trx.raw<{ rows: [Moment & { changed: string[] }] }>(
          `select pg_current_snapshot()::text as snapshot, clock_timestamp()::text as at,
                  log_robots_changed_since(
                    :orgId, coalesce(:seen::pg_snapshot, pg_current_snapshot()), coalesce(:at::timestamptz, now())
                  ) as changed`,
          { orgId, seen: view?.seen.snapshot ?? null, at: view?.seen.at ?? null },
        );
        const read = await readPlaces(trx, orgId, robotIds);
        const [{ changed, ...seen }] = rows;
        const places = view?.places ?? new Map<string, RobotPlace>();
        for (const id of [...changed, ...robotIds]) places.delete(id);
        for (const id of [...places.keys()].slice(0, Math.max(0, places.size + read.size - maxPlaces)))
          places.delete(id);
        for (const [id, place] of read) places.set(id, place);
        views.set(orgId, { seen, places });
      },
      { isolationLevel: 'repeatable read', readOnly: true },
    );
  }

  return {
    async readHeads(spools) {
      for (const [orgId, ofOrg] of byOrg(spools, orgOf))
        await readOfOrg(orgId, [...new Set(ofOrg.map(({ robotId }) => robotId))]);
      return spools.map(({ orgId, robotId, spool }) => {
        const place = views.get(orgId)?.places.get(robotId);
        return place && (place.storedSeqs.get(spool) ?? 0);
      });
    },

    async store(deliveries) {
      const others = new Map<Delivery, StoreOutcome>();
      for (const [orgId, ofOrg] of byOrg(deliveries, orgOf))
        for (const ignoresQuota of [false, true])
          await storeOfOrg(
            orgId,
            ofOrg.filter((delivery) => (delivery.ignoresQuota ?? false) === ignoresQuota),
            ignoresQuota,
            others,
          );
      return deliveries.map((delivery) => others.get(delivery) ?? 'stored');
    },
  };
}

/** What is known before anything is stored. */
function outcomeBefore(place: RobotPlace | undefined, { epoch, spool, fromSeq }: Delivery): StoreOutcome | undefined {
  if (!place || place.stream === 0) return 'behind';
  if (place.epoch !== epoch) return 'stale';
  return (place.storedSeqs.get(spool) ?? 0) < fromSeq ? undefined : 'behind';
}

function entryOf({ spool, fromSeq, toSeq, lines }: Delivery, { stream, seq }: RobotPlace): TextEntry {
  let text = '';
  let maxLevel = 0;
  for (const line of lines) {
    text += `${line.text}\n`;
    maxLevel = Math.max(maxLevel, line.rank);
  }
  return {
    stream,
    spool,
    fromSeq,
    toSeq,
    firstSeq: seq + 1,
    records: lines.length,
    maxLevel,
    length: text.length,
    text,
  };
}

/** Of the records as text, without line feeds: as log statistics count them. */
const bytesOf = (open: readonly OpenDelivery[]): number =>
  open.reduce((sum, { entry }) => sum + Buffer.byteLength(entry.text) - entry.records, 0);

/** The size of the text comes last; without it, the quota of the org does not count. */
async function callStore(db: Knex, parameters: readonly (string | number | Date | Buffer)[]): Promise<StoreRow> {
  const common = '?, ?, ?, ?, ?::smallint, ?, ?, ?::smallint, ?, ?, ?, ?, ?, ?';
  const call = parameters.length === 14 ? `store_log_segment(${common})` : `store_log_segment_in_quota(${common}, ?)`;
  const { rows } = await db.raw<{ rows: [StoreRow] }>(
    `select outcome, received, now_seen, now_seen_at::text as now_seen_at, changed from ${call}`,
    [...parameters],
  );
  return rows[0];
}

const orgOf = ({ orgId }: { orgId: string }): string => orgId;
