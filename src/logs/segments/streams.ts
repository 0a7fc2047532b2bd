import type { Knex } from 'knex';
import { slices } from '../../kernel/slices.ts';
import { plainArray } from '../../platform/db/arrays.ts';
import { entriesOf, type Entry } from './format.ts';

/** Whose records: of the whole org, of a robot, or those that robots sent as part of these fleets. Both must hold. */
export interface LogScope {
  orgId: string;
  robotId?: string | undefined;
  fleetIds?: readonly string[] | undefined;
}

export interface StreamOwner {
  robotId: string;
  fleetId: string;
}

interface Row {
  number: number;
  robot_id: string;
  fleet_id: string;
}

/** Only of these owners, or with these numbers. All must hold. */
interface StreamFilter {
  orgId: string;
  robotIds?: readonly string[] | undefined;
  fleetIds?: readonly string[] | undefined;
  numbers?: readonly number[];
}

/** Streams that one statement reads: reading the rows of a large org at once would keep the event loop for long. */
const streamsAtATime = 2_000;
const streamsOf = (db: Knex, orgId: string) =>
  db<Row>('log_streams').select('number', 'robot_id', 'fleet_id').where('org_id', orgId);
const ownerOf = ({ robot_id: robotId, fleet_id: fleetId }: Row): StreamOwner => ({ robotId, fleetId });

/** Streams by number: each is a robot as a member of a fleet. */
export async function findStreams(
  db: Knex,
  { orgId, robotIds, fleetIds, numbers }: StreamFilter,
): Promise<ReadonlyMap<number, StreamOwner>> {
  const query = streamsOf(db, orgId);
  if (numbers) void query.whereRaw('number = any(?::integer[])', [plainArray(numbers)]);
  if (robotIds) void query.whereRaw('robot_id = any(?::uuid[])', [plainArray(robotIds)]);
  if (fleetIds) void query.whereRaw('fleet_id = any(?::uuid[])', [plainArray(fleetIds)]);
  return new Map((await query).map((row) => [row.number, ownerOf(row)]));
}

/** The streams of an org from this number on. */
export async function findAllStreams(db: Knex, orgId: string, sinceNumber = 0): Promise<Map<number, StreamOwner>> {
  const found = new Map<number, StreamOwner>();
  for (let since = sinceNumber, read = streamsAtATime; read === streamsAtATime;) {
    const rows = await streamsOf(db, orgId).where('number', '>=', since).orderBy('number').limit(streamsAtATime);
    for (const row of rows) found.set(row.number, ownerOf(row));
    read = rows.length;
    since = (rows.at(-1)?.number ?? 0) + 1;
  }
  return found;
}

/** The numbers of the streams with wanted entries in these groups. */
export async function streamsIn(
  groups: readonly { head: Buffer }[],
  isWanted: (entry: Entry) => boolean = () => true,
): Promise<number[]> {
  const numbers = new Set<number>();
  const slice = slices();
  for (const { head } of groups) {
    for (const entry of entriesOf(head)) if (isWanted(entry)) numbers.add(entry.stream);
    await slice();
  }
  return [...numbers];
}
