import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import { healthFields, type RobotService } from '../robots/service.ts';
import type { HealthService } from './service.ts';

export const healthHandlers = (health: (db: Knex) => HealthService, robots: (db: Knex) => RobotService) =>
  ({
    async getRobotHealth({ caller, db, params }) {
      const robot = await robots(db).get(caller.orgId, params.id);
      const latest = await health(db).find(caller.orgId, robot.id);
      return {
        status: 200,
        body: {
          data: {
            robot_id: robot.id,
            online: robot.online,
            ...(robot.lastSeenAt ? { last_seen_at: robot.lastSeenAt.toISOString() } : {}),
            ...healthFields(robot.health),
            ...(latest
              ? {
                  snapshot_at: latest.receivedAt.toISOString(),
                  // The frame validator accepted it.
                  snapshot: JSON.parse(latest.snapshot) as components['schemas']['HealthSnapshot'],
                }
              : {}),
          },
        },
      };
    },
  }) satisfies Pick<Handlers, 'getRobotHealth'>;
