import { createHmac, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { conflict, notFound } from '../kernel/errors.ts';
import { digestOf, factsOf, type TokenFacts } from '../kernel/tokens.ts';
import type { Token } from './model.ts';
import { rotationStore } from './rotation-store.ts';

/** How long the previous value stays valid, unless the new one is used earlier. */
const overlapHours = 24;

/**
 * Rotation of robot tokens. The row stays, so open links and streams continue. The previous value is valid until the
 * first use of the new one: an agent that did not get the response, or lost it before writing it to disk, retries. The
 * last unused value issued before the new one also stays valid: an agent that asked twice may keep either.
 */
export function tokenRotation(db: Knex) {
  const rotations = rotationStore(db);
  return {
    /** Asks the robot's agent to rotate. @throws conflict if the robot has no valid token */
    async want(orgId: string, robotId: string): Promise<Token> {
      const token = await rotations.want(orgId, robotId);
      if (!token) throw conflict('the robot has no valid token');
      return token;
    },

    /**
     * Gives a robot token a new value, once per nonce: a retry with the same nonce, by either value, returns the same
     * value. Needs a transaction. `changed` is false for a retry.
     * @throws not_found
     */
    async rotate(
      orgId: string,
      tokenId: string,
      nonce: string,
    ): Promise<{ token: Token; value: string; changed: boolean }> {
      const state = await rotations.lock(orgId, tokenId);
      if (!state) throw notFound('token');
      const nonceDigest = digestOf(nonce);
      const given = state.values.find((value) => value.nonceDigest.equals(nonceDigest));
      if (given) return { token: state.token, value: valueOf(given.salt, nonce).value, changed: false };
      const salt = randomBytes(32);
      const { value, ...facts } = valueOf(salt, nonce);
      // The present value is unused, so the agent may still use the previous one.
      const keepsPrevious = state.hasPrevious;
      const token = await rotations.replace(orgId, tokenId, { facts, nonceDigest, salt, keepsPrevious, overlapHours });
      return { token, value, changed: true };
    },
  };
}

/** The stored salt alone does not give the value, and neither does a badly chosen nonce. */
function valueOf(salt: Buffer, nonce: string): TokenFacts & { value: string } {
  const value = `svc_robot_${createHmac('sha256', salt).update(nonce).digest('hex')}`;
  return { value, ...factsOf('robot', value) };
}
