import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import { parseSelector } from '../kernel/label-selector.ts';
import { listReply } from '../platform/http/reply/list.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import type { Robot } from './model.ts';
import type { DeploymentService } from '../deployments/api/service.ts';
import type { TokenService } from '../tokens/service.ts';
import type { PinService } from './pins.ts';
import { healthFields, type RobotService } from './service.ts';

export const robotHandlers = (
  robots: (db: Knex) => RobotService,
  pins: (db: Knex) => PinService,
  deployments: (db: Knex) => DeploymentService,
  tokens: (db: Knex) => TokenService,
) =>
  ({
    listRobots: ({ caller, db, query }) =>
      listReply(query, (page) =>
        robots(db).list(
          caller.orgId,
          {
            name: query.name,
            siteId: query.site_id,
            fleetId: query.fleet_id,
            selector: query.label === undefined ? undefined : parseSelector('query.label', query.label),
            healthStatus: query.health_status,
            condition: query.condition,
            releaseId: query.release_id,
            isPinned: query.pinned,
            nameContains: query.q,
            isRetired: query.retired,
          },
          page,
        ),
      ),

    async getRobot({ caller, db, params }) {
      return { status: 200, body: { data: toWire(await robots(db).get(caller.orgId, params.id)) } };
    },

    async updateRobot({ caller, db, params, body }) {
      const { before, after } = await robots(db).update(caller.orgId, params.id, {
        name: body.name,
        fleetId: body.fleet_id,
        labels: body.labels,
      });
      const robot = toWire(after);
      return {
        status: 200,
        body: { data: robot },
        audit: { ...about(robot), before: toWire(before), after: robot },
        announce: [
          { topic: 'robot_changed', orgId: caller.orgId, robotId: after.id },
          ...(after.fleetId === before.fleetId || after.retiredAt
            ? []
            : await deployments(db).welcome(caller.orgId, {
                robotId: after.id,
                fleetId: after.fleetId,
                leftFleetId: before.fleetId,
              })),
        ],
      };
    },

    async deleteRobot({ caller, db, params }) {
      const { id } = await robots(db).get(caller.orgId, params.id);
      const abandoned = await deployments(db).abandon(caller.orgId, id);
      const robot = toWire(await robots(db).delete(caller.orgId, id));
      return {
        status: 200,
        body: { data: robot },
        audit: { ...about(robot), before: robot },
        announce: [{ topic: 'access_changed', orgId: caller.orgId }, ...abandoned],
      };
    },

    async getRobotPin({ caller, db, params }) {
      return { status: 200, body: { data: await pins(db).get(caller.orgId, params.id) } };
    },

    async setRobotPin({ caller, db, params, body }) {
      const { robotId, before, after } = await pins(db).set(caller.orgId, params.id, {
        releaseId: body.release_id,
        until: body.until,
        reason: body.reason,
        pinnedBy: await tokens(db).nameOf(caller),
      });
      const facts = { ...aboutPin(caller.orgId, robotId), ...(before && { before }), after };
      return { status: 200, body: { data: after }, audit: before === after ? 'unchanged' : facts };
    },

    async deleteRobotPin({ caller, db, params }) {
      const unpinnedBy = await tokens(db).nameOf(caller);
      const { robotId, before } = await pins(db).delete(caller.orgId, params.id, unpinnedBy);
      return { status: 200, body: { data: before }, audit: { ...aboutPin(caller.orgId, robotId), before } };
    },
  }) satisfies Partial<Handlers>;

const aboutPin = (orgId: string, robotId: string) => ({ orgId, objectKind: 'robot_pin', objectId: robotId });

const about = (robot: components['schemas']['Robot']) => ({
  orgId: robot.org_id,
  objectKind: 'robot',
  objectId: robot.id,
});

const toWire = (robot: Robot): components['schemas']['Robot'] => ({
  id: robot.id,
  name: robot.name,
  org_id: robot.orgId,
  site_id: robot.siteId,
  fleet_id: robot.fleetId,
  online: robot.online,
  ...(robot.lastSeenAt ? { last_seen_at: robot.lastSeenAt.toISOString() } : {}),
  ...(robot.duplicateAgentAt ? { duplicate_agent_at: robot.duplicateAgentAt.toISOString() } : {}),
  ...(robot.cameras ? { cameras: robot.cameras } : {}),
  ...(robot.topics === undefined ? {} : { topics: robot.topics }),
  ...(robot.timezone === undefined ? {} : { timezone: robot.timezone }),
  ...(robot.replaces === undefined ? {} : { replaces: robot.replaces }),
  ...(robot.replacedBy === undefined ? {} : { replaced_by: robot.replacedBy }),
  ...(robot.retiredAt ? { retired_at: robot.retiredAt.toISOString() } : {}),
  labels: robot.labels,
  reported: robot.reported,
  ...healthFields(robot.health),
  ...(robot.pin && { pin: robot.pin }),
  created_at: robot.createdAt.toISOString(),
});
