import { factories } from './factories.ts';
import type { World } from './world.ts';

export const upTo = (count: number): number[] => Array.from({ length: count }, (_each, index) => index + 1);

/** The ID of a robot that `addRobotRows` made. */
export const idOfRow = (number: number): string => `0198c5a2-6a60-7e10-b1f0-${number.toString(16).padStart(12, '0')}`;

/**
 * Robots of a new fleet as rows, since enrolling thousands takes minutes: `amr-1` has the number 1, which also ends its
 * ID, and so on. Returns the key of their fleet. Thousands belong in a database of their own.
 */
export async function addRobotRows(world: World, numbers: readonly number[]) {
  const key = await factories(world).key();
  await world.db.raw(
    `insert into robots (org_id, id, name, site_id, fleet_id, enrollment_key_id, created_at)
     select ?, ('0198c5a2-6a60-7e10-b1f0-' || lpad(to_hex(n), 12, '0'))::uuid, 'amr-' || n, ?, ?, ?, now() + n * interval '1 ms'
     from unnest(?::integer[]) as n`,
    [world.orgId, key.site_id, key.fleet_id, key.id, numbers],
  );
  return key;
}
