import type { Knex } from 'knex';

/** Rows that one statement reads: at most about 20 MB. */
const rowsAtATime = 500;
const dayMs = 86_400_000;

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

/** The chunks of an org and a day after a place, a few hundred at a time. */
export async function* rowsOfDay(
  db: Knex,
  { orgId, dayStartMs, after }: { orgId: string; dayStartMs: number; after: RowPlace | undefined },
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
