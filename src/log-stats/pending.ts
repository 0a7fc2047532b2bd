import type { Knex } from 'knex';
import { slices } from '../kernel/slices.ts';
import { plainArray, textArray } from '../platform/db/arrays.ts';
import { figures } from './columns.ts';
import { addCounts, noCounts, type SlotCounts } from './model.ts';

/**
 * Beyond so many entries they are stored in parts by robot. Each part is added to its hours and days alone, and the counts
 * of one robot are read from one part.
 */
const maxEntriesTogether = 2_000;
const allRobots = 0;
/** Entries of a row. Writing them as the parameters of a statement takes about a millisecond. */
const maxEntriesOfRow = 250;
/** Pending counts are added to their hours and days after this time, or when an org has so many entries. */
const maxAgeMinutes = 10;
const maxEntries = 200_000;

interface DueOrg {
  orgId: string;
  parts: number[];
  lastAddedAt: Date;
}

/** Without a robot: of a fleet. */
type Entry = Omit<SlotCounts, 'robotId'> & Partial<Pick<SlotCounts, 'robotId'>>;

const insertStatement = `
  insert into log_stats_pending
    (org_id, part, entries, first_slot_at, last_slot_at, robot_ids, fleet_ids, sources, slots, ${figures.join(', ')})
  values (?, ?, ?, ?, ?, ?::uuid[], ?::uuid[], ?::text[], ?::timestamptz[],
          ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])`;

/** Counts that are not yet in the rows of their hour and day. */
export function pendingStore(db: Knex) {
  async function insert(orgId: string, part: number, entries: readonly Entry[]): Promise<void> {
    const times = entries.map(({ slotAtMs }) => new Date(slotAtMs).toISOString());
    const first = times.reduce((a, b) => (a < b ? a : b));
    const last = times.reduce((a, b) => (a > b ? a : b));
    const numbers = (figure: (each: Entry) => number) => plainArray(entries.map(figure));
    const levelNumbers = (level: 'debug' | 'warn' | 'error' | 'fatal') =>
      plainArray(entries.map(({ levels }) => levels[level] || 'NULL'));
    await db.raw(insertStatement, [
      ...[orgId, part, entries.length, first, last],
      entries[0]?.robotId === undefined ? null : plainArray(entries.map(({ robotId = '' }) => robotId)),
      plainArray(entries.map(({ fleetId }) => fleetId)),
      textArray(entries.map(({ source }) => source)),
      plainArray(times),
      numbers(({ lines }) => lines),
      numbers(({ bytes }) => bytes),
      ...(['debug', 'warn', 'error', 'fatal'] as const).map(levelNumbers),
    ]);
  }

  async function insertRows(orgId: string, part: number, entries: readonly Entry[]): Promise<void> {
    for (let start = 0; start < entries.length; start += maxEntriesOfRow)
      await insert(orgId, part, entries.slice(start, start + maxEntriesOfRow));
  }

  return {
    async add(orgId: string, counts: Iterable<SlotCounts>): Promise<void> {
      for (const [part, entries] of await inParts(counts)) {
        await insertRows(orgId, part, entries);
        await insertRows(orgId, part, await sumsByFleet(entries));
      }
    },

    /** The parts of orgs whose counts are old or many; all, if `isAllDue`. */
    async findDue(isAllDue: boolean): Promise<DueOrg[]> {
      const { rows } = await db.raw<{ rows: DueOrg[] }>(
        `select org_id as "orgId", array_agg(distinct part) as parts, max(added_at) as "lastAddedAt"
           from log_stats_pending group by org_id
         having :isAllDue or min(added_at) < now() - :maxAgeMinutes * interval '1 minute'
             or sum(entries) filter (where robot_ids is not null) >= :maxEntries
          order by org_id`,
        { isAllDue, maxAgeMinutes, maxEntries },
      );
      return rows;
    },
  };
}

async function inParts(counts: Iterable<SlotCounts>): Promise<Map<number, SlotCounts[]>> {
  const parts = new Map<number, SlotCounts[]>();
  const slice = slices();
  let entries = 0;
  for (const each of counts) {
    const part = partOf(each.robotId);
    const known = parts.get(part);
    if (known) known.push(each);
    else parts.set(part, [each]);
    entries += 1;
    await slice();
  }
  return entries > 0 && entries <= maxEntriesTogether ? new Map([[allRobots, [...parts.values()].flat()]]) : parts;
}

/** From 1 to 16, by the last digit: the first ones of an ID are its time. */
const partOf = (robotId: string): number => 1 + Number.parseInt(robotId.slice(-1), 16);

/** Where counts of these robots may be. */
export const partsWith = (robotIds: readonly string[]): number[] => [...new Set([allRobots, ...robotIds.map(partOf)])];

async function sumsByFleet(counts: readonly SlotCounts[]): Promise<Entry[]> {
  const sums = new Map<string, Entry>();
  const slice = slices();
  for (const each of counts) {
    const { fleetId, source, slotAtMs } = each;
    const key = `${fleetId} ${slotAtMs} ${source}`;
    let sum = sums.get(key);
    if (!sum) sums.set(key, (sum = { fleetId, source, slotAtMs, ...noCounts() }));
    addCounts(sum, each, 1);
    await slice();
  }
  return [...sums.values()];
}
