import { dayMs } from '../model.ts';

import type { Knex } from 'knex';

export interface ChunkRow {
  robot_id: string;
  first_at: Date;
  received_at: Date;
  first_seq: number;
  last_seq: number;
  bytes: number;
  max_level: number;
  body: Buffer;
  text_filter: Buffer | null;
}

/** A row of a day: they are read fleet by fleet, each fleet in the order of `received_at`. */
export interface RowPlace {
  fleetId: string;
  receivedAtMs: number;
  robotId: string;
  seq: number; // the first of the chunk
}

interface RowsOfFleet {
  fleetId: string;
  rows: readonly ChunkRow[];
}

interface DayOfRows {
  orgId: string;
  dayStartMs: number;
  after: RowPlace | undefined;
  rowsAtATime: number;
}

/** The chunks of an org and a day after a place, some at a time. */
export async function* rowsOfDay(
  db: Knex,
  { orgId, dayStartMs, after, rowsAtATime }: DayOfRows,
): AsyncGenerator<RowsOfFleet> {
  const [since, until] = [new Date(dayStartMs), new Date(dayStartMs + dayMs)];
  const day = () =>
    db('log_chunks').where('org_id', orgId).where('received_at', '>=', since).where('received_at', '<', until);
  const nextFleet = async (fleetId: string | undefined): Promise<string | undefined> => {
    const query = day().orderBy('fleet_id').limit(1);
    if (fleetId !== undefined) void query.where('fleet_id', '>', fleetId);
    return (await query.pluck<string[]>('fleet_id'))[0];
  };

  const readRows = (fleetId: string, place: RowPlace | undefined): Promise<ChunkRow[]> => {
    const query = day().where('fleet_id', fleetId);
    if (place)
      void query.whereRaw('(received_at, robot_id, first_seq) > (?, ?, ?)', [
        new Date(place.receivedAtMs),
        place.robotId,
        place.seq,
      ]);
    return query.select<ChunkRow[]>(columns).orderBy(['received_at', 'robot_id', 'first_seq']).limit(rowsAtATime);
  };

  let place = after;
  for (let fleetId = after?.fleetId ?? (await nextFleet(undefined)); fleetId !== undefined;) {
    const rows = await readRows(fleetId, place);
    const last = rows.at(-1);
    if (last) {
      place = { fleetId, receivedAtMs: last.received_at.getTime(), robotId: last.robot_id, seq: last.first_seq };
      yield { fleetId, rows };
    }
    if (rows.length < rowsAtATime) {
      fleetId = await nextFleet(fleetId);
      place = undefined;
    }
  }
}

const columns = [
  ...['robot_id', 'first_at', 'received_at', 'first_seq', 'last_seq'],
  ...['bytes', 'max_level', 'body', 'text_filter'],
];

/** The orgs with chunks of a day: one look into an index for each. */
export async function orgsOfDay(db: Knex, dayStartMs: number): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { org_id: string }[] }>(
    `with recursive known as (
       (select org_id from log_chunks where received_at >= :since and received_at < :until order by org_id limit 1)
       union all
       select (select org_id from log_chunks c where c.org_id > known.org_id
                  and received_at >= :since and received_at < :until order by org_id limit 1)
         from known where org_id is not null
     )
     select org_id from known where org_id is not null`,
    { since: new Date(dayStartMs), until: new Date(dayStartMs + dayMs) },
  );
  return rows.map(({ org_id: id }) => id);
}

/** Rows that one statement counts: it must end within the time limit of statements, however large the day is. */
const countedAtATime = 100_000;

/** The records of a partition, by org. It must not change meanwhile. */
export async function countPartition(db: Knex, name: string): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  const key = 'org_id, fleet_id, received_at, robot_id, first_seq';
  for (let last: CountedPage['last'] | undefined; ;) {
    const { rows } = await db.raw<{ rows: [CountedPage] | [] }>(
      `with page as materialized (
         select ${key}, records from ?? ${last ? `where (${key}) > (?, ?, ?, ?, ?)` : ''} order by ${key} limit ?
       )
       select (select jsonb_object_agg(org_id, records)
                 from (select org_id, sum(records) as records from page group by org_id) sums) as sums,
              array[org_id::text, fleet_id::text, received_at::text, robot_id::text, first_seq::text] as last
         from page order by ${key.replaceAll(',', ' desc,')} desc limit 1`,
      [name, ...(last ?? []), countedAtATime],
    );
    const [page] = rows;
    if (!page) return sums;
    for (const [orgId, records] of Object.entries(page.sums)) sums.set(orgId, (sums.get(orgId) ?? 0) + records);
    last = page.last;
  }
}

interface CountedPage {
  sums: Record<string, number>; // by org
  last: string[]; // the key of the last row
}
