import type { Knex } from 'knex';
import type { Health } from './model.ts';

export function healthStore(db: Knex) {
  return {
    /** The latest snapshot of a robot; undefined before the first. */
    async find(orgId: string, robotId: string): Promise<Health | undefined> {
      const row = await db<{ org_id: string; robot_id: string; received_at: Date; snapshot: string }>('robot_health')
        .select('received_at', 'snapshot')
        .where({ org_id: orgId, robot_id: robotId })
        .first();
      return row && { receivedAt: row.received_at, snapshot: row.snapshot };
    },
  };
}
