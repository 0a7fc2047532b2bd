import type { Knex } from 'knex';
import type { Bus, Hint } from '../../platform/bus/bus.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { timelineService, type NewTimelineEntry } from '../../timeline/service.ts';
import { expiryDays } from './model.ts';
import type { RobotKey } from './order-port.ts';

/*
 * SQL of what holds single robots; `of`: name of a row of `deployments` or `deployment_plans`, `robotId`: SQL. A held
 * robot is sent no order, takes no room of pace and budgets, does not hold up its wave, and does not expire.
 *
 *   pin          → it stays at a release, so it gets no other one
 *   maintenance  → people work on it, so it takes part in no rollout
 *
 * Migration 0043 has the same as a trigger, for replicas of the previous release.
 */

const anyPinOf = (of: string, robotId: string): string =>
  `from robot_pins pin where pin.org_id = ${of}.org_id and pin.robot_id = ${robotId} and pin.release_id <> ${of}.release_id`;
const pinOf = (of: string, robotId: string): string => `${anyPinOf(of, robotId)} and pin.until > now() offset 0`;
const maintenanceOf = (of: string, robotId: string): string =>
  `from robot_status health where health.org_id = ${of}.org_id and health.robot_id = ${robotId} and ${of}.waits_for_maintenance and health.maintenance is not null offset 0`;

/** The robot is pinned at another release. */
export const isPinned = (of: string, robotId: string): string =>
  `(${of}.release_id is not null and exists (select ${pinOf(of, robotId)}))`;
const isInMaintenance = (of: string, robotId: string): string =>
  `(${of}.waits_for_maintenance and exists (select ${maintenanceOf(of, robotId)}))`;

/** Something holds the robot. */
export const isRobotHeld = (of: string, robotId: string): string =>
  `(${isPinned(of, robotId)} or ${isInMaintenance(of, robotId)})`;

/** What holds the robot, as a code; null if nothing does. */
export const robotHoldCode = (of: string, robotId: string): string =>
  `case when ${isPinned(of, robotId)} then 'pinned' when ${isInMaintenance(of, robotId)} then 'maintenance' end`;

/** A select of what holds the robot: `code`, `since` and `detail` for people; no row if nothing does. */
export const robotHold = (of: string, robotId: string): string =>
  `(select 'pin' as code, pin.created_at as since,
           'until ' || ${instant('pin.until')} || ', by ' || pin.pinned_by || ': ' || pin.reason as detail ${pinOf(of, robotId)})
    union all
    (select 'maintenance', (select w.created_at from maintenance_windows w where w.org_id = health.org_id and w.id = (health.maintenance ->> 'id')::uuid),
            'until ' || (health.maintenance ->> 'until') || ': ' || (health.maintenance ->> 'reason') ${maintenanceOf(of, robotId)})
    limit 1`;

const instant = (at: string): string => `to_char(${at}, 'YYYY-MM-DD"T"HH24:MI"Z"')`;

/** Robots of the org of `of` that may be held. Those of a deployment are few of them. */
export const robotsThatMayBeHeld = (of: string): string =>
  `(select pin.robot_id from robot_pins pin where pin.org_id = ${of}.org_id
    union all select health.robot_id from robot_status health where health.org_id = ${of}.org_id and health.maintenance is not null)`;

/**
 * The waiting robot does not expire: it is held, or was within the time that robots have to receive an order. That time
 * begins when the row of a pin is deleted, which is later than its end if no replica ran.
 */
export const keepsWaiting = (of: string, robotId: string): string =>
  `(${isInMaintenance(of, robotId)} or exists (select ${anyPinOf(of, robotId)} offset 0) or exists (select from freed_robots f where f.org_id = ${of}.org_id and f.robot_id = ${robotId}
      and f.freed_at > now() - interval '${expiryDays} days' offset 0))`;

/**
 * The pin of the robot lets a newer target wait, and allows the release of an older one: the newer one does not replace that
 * before the pin ends. `newer`: name of a row of `targets`; `olderRelease`: SQL.
 */
export const isPinnedBack = (newer: string, olderRelease: string): string =>
  `((${newer}.status = 'waiting' or ${newer}.dispatched_at is null) and exists (
      select from robot_pins pin where pin.org_id = ${newer}.org_id and pin.robot_id = ${newer}.robot_id and pin.until > now()
         and pin.release_id = ${olderRelease} and pin.release_id <> ${releaseOf(newer)} offset 0))`;
/** The release of the deployment of a target, as SQL. */
export const releaseOf = (target: string): string =>
  `(select m.release_id from deployments m where m.org_id = ${target}.org_id and m.id = ${target}.deployment_id)`;

/** A newer target of the same robot, lane and key replaces it. `target`: name of a row of `targets`. */
export const isReplaced = (target: string): string =>
  `exists (select from targets n where n.org_id = ${target}.org_id and n.robot_id = ${target}.robot_id and n.lane = ${target}.lane
      and n.payload_key = ${target}.payload_key and n.rank > ${target}.rank and not ${isPinnedBack('n', releaseOf(target))})`;

/** Robots per transaction. */
const maxFreed = 1_000;
const isOver = `freed_at < now() - interval '${expiryDays} days'`;
export const isAnyToFree = `(exists (select from robot_pins where until <= now()) or exists (select from freed_robots where not is_announced)
     or exists (select from freed_robots where ${isOver}))`;

/**
 * Ends pins whose time is over, and announces robots that nothing holds any more, so that they get their orders. Returns
 * them; there may be more.
 */
export async function freeRobots(db: Knex, bus: Bus): Promise<RobotKey[]> {
  const { rows } = await db.raw<{ rows: [{ is_needed: boolean }] }>(`select ${isAnyToFree} as is_needed`);
  return rows[0].is_needed ? inTransaction(db, (trx) => freeSome(trx, bus)) : [];
}

async function freeSome(trx: Knex, bus: Bus) {
  const ended = await trx.raw<{ rows: { org_id: string; robot_id: string; pin: NewTimelineEntry['details'] }[] }>(
    `delete from robot_pins pin where (org_id, robot_id) in (
       select org_id, robot_id from robot_pins where until <= now() order by until limit ${maxFreed} for update skip locked)
     returning org_id, robot_id, jsonb_build_object('release_id', release_id, 'reason', reason,
       'tag', (select tag from releases r where r.org_id = pin.org_id and r.id = pin.release_id)) as pin`,
  );
  const notes = ended.rows.map((row): NewTimelineEntry => ({
    orgId: row.org_id,
    robotId: row.robot_id,
    kind: 'unpinned',
    details: row.pin,
  }));
  await trx.raw(
    `delete from freed_robots where id in (select id from freed_robots where ${isOver} limit ${maxFreed} for update skip locked)`,
  );
  const { rows } = await trx.raw<{ rows: { org_id: string; robot_id: string; has_targets: boolean }[] }>(
    `update freed_robots f set is_announced = true
      where f.id in (select id from freed_robots where not is_announced order by freed_at limit ${maxFreed} for update skip locked)
     returning f.org_id, f.robot_id,
               exists (select from open_targets o where o.org_id = f.org_id and o.robot_id = f.robot_id) as has_targets`,
  );
  const hints = rows.flatMap((row): Hint[] =>
    row.has_targets ? [{ topic: 'robot_changed', orgId: row.org_id, robotId: row.robot_id }] : [],
  );
  const freed = rows.map((row) => ({ orgId: row.org_id, robotId: row.robot_id }));
  const announced = bus.announcing(trx, hints);
  const closing = [...(notes.length > 0 ? [timelineService(trx).recordMany(notes)] : []), ...announced.closing];
  return { result: freed, ...announced, closing };
}
