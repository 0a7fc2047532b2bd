import { createHmac, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { conflict, notFound } from '../kernel/errors.ts';
import { digestOf, factsOf, type TokenFacts } from '../kernel/tokens.ts';
import type { Token } from './model.ts';
import { rotationStore } from './rotation-store.ts';

/** How long the value before is good, unless the new one is used earlier. */
const overlapHours = 24;

/**
 * New values for the tokens of robots. The row stays, so whatever was opened with the token goes on. The value before is good until the new one is
 * used first: an agent that never got the answer, or lost it on its way to the disk, simply asks again. So is the last value that was handed out
 * before the new one and not used: an agent that asked twice may keep either.
 */
export function tokenRotation(db: Knex) {
  const rotations = rotationStore(db);
  return {
    /** The robot's agent is to ask for a new value. @throws conflict if the robot has no good token */
    async want(orgId: string, robotId: string): Promise<Token> {
      const token = await rotations.want(orgId, robotId);
      if (!token) throw conflict('the robot has no token that is good');
      return token;
    },

    /**
     * Gives the token of a robot a new value, once for each nonce: asked again with the same one, by either value, it gives the same value. Runs in a
     * transaction. `changed` is false where it had been given already. @throws not_found
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
      // Nobody used the present value, so the agent may run on the one before.
      const keepsPrevious = state.hasPrevious;
      const token = await rotations.replace(orgId, tokenId, { facts, nonceDigest, salt, keepsPrevious, overlapHours });
      return { token, value, changed: true };
    },
  };
}

/** Of the salt alone, which is kept, no value can be made, nor of a nonce that its agent chose badly. */
function valueOf(salt: Buffer, nonce: string): TokenFacts & { value: string } {
  const value = `svc_robot_${createHmac('sha256', salt).update(nonce).digest('hex')}`;
  return { value, ...factsOf('robot', value) };
}
