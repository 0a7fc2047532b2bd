import type { Knex } from 'knex';
import { badRequest, notFound, unauthorized } from '../kernel/errors.ts';
import { mintToken } from '../kernel/tokens.ts';
import { fleetService } from '../fleets/service.ts';
import { robotService, type Robot } from '../robots/service.ts';
import { siteService } from '../sites/service.ts';
import { timelineService } from '../timeline/service.ts';
import { tokenService } from '../tokens/service.ts';
import { refusedMessage, type EnrollmentKey, type NewEnrollmentKey } from './model.ts';
import { enrollmentKeyStore } from './store.ts';

export type EnrollmentService = ReturnType<typeof enrollmentService>;

/**
 * `noteRefusal` is called for a key refused because its uses are spent, which only the transaction of the enrollment
 * can detect.
 */
export function enrollmentService(db: Knex, noteRefusal: (orgId: string, keyId: string, refusal: 'used_up') => void) {
  const keys = enrollmentKeyStore(db);
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
     * returns that robot, with a new token; the lost token is revoked. Needs a transaction.
     * @throws unauthorized, with the same message for every reason
     */
    async enroll(
      orgId: string,
      keyId: string,
      request: { name?: string | undefined; nonce?: string | undefined },
    ): Promise<{ robot: Robot; token: string; again: boolean }> {
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
      const robot = await robots.create(orgId, key, request.name, attempt);
      const { value } = await tokens.issue(orgId, { kind: 'robot', robotId: robot.id });
      await timelineService(db).record(orgId, robot.id, 'enrolled', { key_id: keyId });
      return { robot, token: value, again: false };
    },
  };
}
