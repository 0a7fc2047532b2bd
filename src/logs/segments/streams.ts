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

/** Of the whole org, or only of these owners, with these numbers, or from this number on. All must hold. */
interface StreamFilter {
  orgId: string;
  robotIds?: readonly string[] | undefined;
  fleetIds?: readonly string[] | undefined;
  sinceNumber?: number;
  numbers?: readonly number[];
}

/** Streams by number: each is a robot as a member of a fleet. */
export async function findStreams(
  db: Knex,
  { orgId, robotIds, fleetIds, sinceNumber, numbers }: StreamFilter,
): Promise<ReadonlyMap<number, StreamOwner>> {
  const query = db<Row>('log_streams').select('number', 'robot_id', 'fleet_id').where('org_id', orgId);
  if (sinceNumber !== undefined) void query.where('number', '>=', sinceNumber);
  if (numbers) void query.whereRaw('number = any(?::integer[])', [plainArray(numbers)]);
  if (robotIds) void query.whereRaw('robot_id = any(?::uuid[])', [plainArray(robotIds)]);
  if (fleetIds) void query.whereRaw('fleet_id = any(?::uuid[])', [plainArray(fleetIds)]);
  return new Map((await query).map((row) => [row.number, { robotId: row.robot_id, fleetId: row.fleet_id }]));
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
