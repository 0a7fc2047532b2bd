import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import { listReply } from '../platform/http/reply/list.ts';
import { quotaHeaders } from '../platform/http/reply/quota-headers.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import type { DeploymentService } from '../deployments/api/service.ts';
import type { Robot } from '../robots/service.ts';
import type { EnrollmentKey } from './model.ts';
import type { EnrollmentService } from './service.ts';

type Operations = 'listEnrollmentKeys' | 'createEnrollmentKey' | 'revokeEnrollmentKey' | 'enrollAgent';

export const enrollmentHandlers = (
  enrollment: (db: Knex) => EnrollmentService,
  deployments: (db: Knex) => DeploymentService,
) =>
  ({
    listEnrollmentKeys: ({ caller, db, query }) =>
      listReply(query, (page) =>
        enrollment(db).list(caller.orgId, { siteId: query.site_id, fleetId: query.fleet_id }, page),
      ),

    async createEnrollmentKey({ caller, db, body }) {
      const { key, value } = await enrollment(db).create(caller.orgId, {
        siteId: body.site_id,
        fleetId: body.fleet_id,
        label: body.label,
        maxUses: body.max_uses,
        expiresInHours: body.expires_in_hours,
      });
      const made = toWire(key);
      return { status: 201, body: { data: { ...made, value } }, audit: { ...about(caller.orgId, made), after: made } };
    },

    async revokeEnrollmentKey({ caller, db, params }) {
      const key = toWire(await enrollment(db).revoke(caller.orgId, params.id));
      return { status: 200, body: { data: key }, audit: { ...about(caller.orgId, key), after: key } };
    },

    async enrollAgent({ caller, db, body = {} }) {
      const { orgId } = caller;
      const { name, nonce, replaces_token: oldToken } = body;
      const enrolled = await enrollment(db).enroll(orgId, caller.keyId, { name, nonce, oldToken });
      const { robot, token, again, retired, room } = enrolled;
      const place = { name: robot.name, site_id: robot.siteId, fleet_id: robot.fleetId };
      return {
        status: again ? 200 : 201,
        headers: quotaHeaders(room),
        body: {
          data: {
            robot_id: robot.id,
            robot_token: token,
            robot_name: robot.name,
            org_id: robot.orgId,
            site_id: robot.siteId,
            fleet_id: robot.fleetId,
            ...(robot.replaces === undefined
              ? oldToken !== undefined && { replaces_ignored: true }
              : { replaces: robot.replaces }),
          },
        },
        audit: [
          {
            ...aboutRobot(robot),
            after: {
              ...place,
              ...(again && { token_replaced: true }),
              ...(retired && { replaces: retired.before.id }),
            },
          },
          ...(retired
            ? [
                {
                  ...aboutRobot(retired.before),
                  before: { name: retired.before.name },
                  after: { name: retired.after.name, replaced_by: robot.id },
                },
              ]
            : []),
        ],
        announce: [
          ...(again ? [{ topic: 'access_changed', orgId } as const] : []),
          ...(again ? [] : await deployments(db).welcome(orgId, { robotId: robot.id, fleetId: robot.fleetId })),
          ...(retired?.announce ?? []),
        ],
      };
    },
  }) satisfies Pick<Handlers, Operations>;

const aboutRobot = ({ orgId, id }: Robot) => ({ orgId, objectKind: 'robot', objectId: id });

const about = (orgId: string, key: { id: string }) => ({ orgId, objectKind: 'enrollment_key', objectId: key.id });

const toWire = (key: EnrollmentKey): components['schemas']['EnrollmentKey'] => ({
  id: key.id,
  site_id: key.siteId,
  fleet_id: key.fleetId,
  ...(key.label === undefined ? {} : { label: key.label }),
  ...(key.maxUses === undefined ? {} : { max_uses: key.maxUses }),
  uses: key.uses,
  last_four: key.lastFour,
  created_at: key.createdAt.toISOString(),
  ...(key.expiresAt ? { expires_at: key.expiresAt.toISOString() } : {}),
  ...(key.revokedAt ? { revoked_at: key.revokedAt.toISOString() } : {}),
  ...(key.lastUsedAt ? { last_used_at: key.lastUsedAt.toISOString() } : {}),
});
