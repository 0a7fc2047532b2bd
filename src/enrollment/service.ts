import type { Knex } from 'knex';
import { badRequest, notFound, unauthorized, type QuotaRoom } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { digestOf, mintToken } from '../kernel/tokens.ts';
import { deploymentService } from '../deployments/api/service.ts';
import { fleetService } from '../fleets/service.ts';
import { quotaService } from '../quotas/service.ts';
import { robotService, type Robot } from '../robots/service.ts';
import { siteService } from '../sites/service.ts';
import { timelineService } from '../timeline/service.ts';
import type { Hint } from '../platform/bus/bus.ts';
import { tokenService } from '../tokens/service.ts';
import { refusedMessage, type EnrollmentKey, type NewEnrollmentKey } from './model.ts';
import { enrollmentKeyStore } from './store.ts';

/**
 * `again`: a retry of an earlier attempt. `retired`: the robot that the new one replaces, before and after. `room`: what
 * is left of the quota of robots.
 */
interface Enrolled {
  robot: Robot;
  token: string;
  again: boolean;
  retired?: { before: Robot; after: Robot; announce: Hint[] } | undefined;
  room?: QuotaRoom | undefined;
}

export type EnrollmentService = ReturnType<typeof enrollmentService>;

/**
 * `noteRefusal` is called for a key refused because its uses are spent, which only the transaction of the enrollment
 * can detect.
 */
export function enrollmentService(db: Knex, noteRefusal: (orgId: string, keyId: string, refusal: 'used_up') => void) {
  const keys = enrollmentKeyStore(db);

  /** Retires the robot of this token. Undefined if it is no valid token of a robot of the org. */
  async function retire(orgId: string, token: string, replacedBy: string): Promise<Enrolled['retired']> {
    const robots = robotService(db);
    const robotId = await tokenService(db).robotOf(orgId, digestOf(token));
    if (robotId === undefined) return undefined;
    const abandoned = await deploymentService(db).abandon(orgId, robotId);
    const before = await robots.find(orgId, robotId, { lock: true });
    // Removed, or retired by a concurrent enrollment.
    if (!before || before.retiredAt) return undefined;
    const after = await robots.retire(orgId, before, replacedBy);
    await tokenService(db).revokeOfRobot(orgId, robotId);
    await timelineService(db).recordMany([
      { orgId, robotId, kind: 'retired', details: { replaced_by: replacedBy } },
      { orgId, robotId, kind: 'renamed', details: { before: before.name, after: after.name } },
    ]);
    return { before, after, announce: [{ topic: 'access_changed', orgId }, ...abandoned] };
  }

  return {
    list: keys.list,

    /**
     * Creates a key; `value` is returned only here and never stored.
     * @throws not_found, bad_request for a fleet of another site
     */
    async create(orgId: string, newKey: NewEnrollmentKey): Promise<{ key: EnrollmentKey; value: string }> {
      const site = await siteService(db).get(orgId, newKey.siteId);
      const fleet = await fleetService(db).get(orgId, newKey.fleetId);
      if (fleet.siteId !== site.id) throw badRequest('body.fleet_id: the fleet is at another site');
      const { value, ...facts } = mintToken('enroll');
      return { key: await keys.create(orgId, facts, newKey), value };
    },

    /** Stops further enrollments by this key; idempotent. @throws not_found */
    async revoke(orgId: string, id: string): Promise<EnrollmentKey> {
      const key = await keys.revoke(orgId, id);
      if (!key) throw notFound('enrollment key');
      return key;
    },

    /**
     * Creates a robot in the key's fleet and counts one use of the key. A retry with the nonce of an earlier attempt
     * returns that robot, with a new token; the lost token is revoked. `oldToken`: token of a
     * robot that is retired; the new robot takes its name if the request has none. An invalid one is ignored. Needs a
     * transaction.
     * @throws unauthorized, with the same message for every reason; QuotaExceeded
     */
    async enroll(
      orgId: string,
      keyId: string,
      request: { name?: string | undefined; nonce?: string | undefined; oldToken?: string | undefined },
    ): Promise<Enrolled> {
      const key = await keys.lockGood(orgId, keyId);
      if (!key) throw unauthorized(refusedMessage);
      const attempt = { keyId, nonce: request.nonce };
      const robots = robotService(db);
      const tokens = tokenService(db);
      const known = await robots.findByAttempt(orgId, attempt);
      if (known) {
        await tokens.revokeOfRobot(orgId, known.id);
        const { value } = await tokens.issue(orgId, { kind: 'robot', robotId: known.id });
        return { robot: known, token: value, again: true };
      }
      if (key.maxUses !== undefined && key.uses >= key.maxUses) {
        noteRefusal(orgId, keyId, 'used_up');
        throw unauthorized(refusedMessage);
      }
      await keys.countUse(orgId, keyId);
      const id = newId();
      const old = request.oldToken === undefined ? undefined : await retire(orgId, request.oldToken, id);
      const { siteId, fleetId } = key;
      const name = request.name ?? old?.before.name;
      const robot = await robots.create(orgId, { id, siteId, fleetId, name, replaces: old?.before.id }, attempt);
      const room = await quotaService(db).check(orgId, 'robots', old ? 0 : 1);
      const { value } = await tokens.issue(orgId, { kind: 'robot', robotId: robot.id });
      const details = { key_id: keyId, ...(old && { replaces: old.before.id }) };
      await timelineService(db).record(orgId, robot.id, 'enrolled', details);
      return { robot, token: value, again: false, retired: old, room };
    },
  };
}
