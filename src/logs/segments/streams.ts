import type { Knex } from 'knex';
import { plainArray } from '../../platform/db/arrays.ts';

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

interface Owners {
  orgId: string;
  robotIds?: readonly string[] | undefined;
  fleetIds?: readonly string[] | undefined;
}

/** Streams by number: each is a robot as a member of a fleet. Those of the whole org, or only of these owners. */
export async function findStreams(
  db: Knex,
  { orgId, robotIds, fleetIds }: Owners,
): Promise<ReadonlyMap<number, StreamOwner>> {
  const query = db<Row>('log_streams').select('number', 'robot_id', 'fleet_id').where('org_id', orgId);
  if (robotIds) void query.whereRaw('robot_id = any(?::uuid[])', [plainArray(robotIds)]);
  if (fleetIds) void query.whereRaw('fleet_id = any(?::uuid[])', [plainArray(fleetIds)]);
  return new Map((await query).map((row) => [row.number, { robotId: row.robot_id, fleetId: row.fleet_id }]));
}
