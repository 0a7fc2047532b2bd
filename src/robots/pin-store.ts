import type { Knex } from 'knex';
import type { RobotPin } from './model.ts';

/** A pin to write. */
interface NewPin {
  releaseId: string;
  until: Date;
  reason: string;
  pinnedBy: string; // for people
}

export function pinStore(db: Knex) {
  return {
    /** Undefined unless the robot is pinned now. */
    async find(orgId: string, robotId: string): Promise<RobotPin | undefined> {
      const { rows } = await db.raw<{ rows: { pin: RobotPin | null }[] }>(
        'select pin from robots_now where org_id = :orgId and id = :robotId',
        { orgId, robotId },
      );
      return rows[0]?.pin ?? undefined;
    },

    /** Replaces an earlier pin. */
    async set(orgId: string, robotId: string, pin: NewPin): Promise<void> {
      await db.raw(
        `insert into robot_pins as p (org_id, robot_id, release_id, until, reason, pinned_by)
         values (:orgId, :robotId, :releaseId, :until, :reason, :pinnedBy)
         on conflict (org_id, robot_id) do update
           set release_id = excluded.release_id, until = excluded.until, reason = excluded.reason, pinned_by = excluded.pinned_by, created_at = clock_timestamp()`,
        { orgId, robotId, ...pin },
      );
    },

    async delete(orgId: string, robotId: string): Promise<void> {
      await db.raw('delete from robot_pins where org_id = :orgId and robot_id = :robotId', { orgId, robotId });
    },

    /** The deployment of another release whose order the robot has. */
    async findOpenOrder(orgId: string, robotId: string, releaseId: string): Promise<string | undefined> {
      const { rows } = await db.raw<{ rows: { id: string }[] }>(
        `select d.id from orders o join deployments d on d.org_id = o.org_id and d.id = any(o.deployment_ids)
          where o.org_id = :orgId and o.robot_id = :robotId and o.ended_at is null and d.release_id <> :releaseId
          order by o.sequence limit 1`,
        { orgId, robotId, releaseId },
      );
      return rows[0]?.id;
    },
  };
}
