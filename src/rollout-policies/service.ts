import type { Knex } from 'knex';
import { conflict, notFound } from '../kernel/errors.ts';
import { lockOrg } from '../platform/db/lock-org.ts';
import { checkWaves } from './check-waves.ts';
import { policyStore, type PolicyChange, type PolicySettings, type RolloutPolicy } from './store.ts';

export { checkWaves } from './check-waves.ts';
export {
  ignoringWindows,
  readRollout,
  type Rollout,
  type RolloutCreate,
  type RolloutPace,
  type RolloutWave,
  type Supersede,
} from './rollout.ts';
export { windowFor, type OrderWindow, type RolloutWindows } from './rollout-windows.ts';
export type { RolloutPolicy } from './store.ts';

export type RolloutPolicyService = ReturnType<typeof rolloutPolicyService>;

/** Most policies of an org. */
const maxPolicies = 100;

/** `db`: a transaction, if the call changes something. */
export function rolloutPolicyService(db: Knex) {
  const policies = policyStore(db);

  /** With `lock`, locks the policy until the transaction ends. @throws not_found */
  async function get(orgId: string, id: string, options?: { lock?: boolean }): Promise<RolloutPolicy> {
    const policy = await policies.find(orgId, id, options);
    if (!policy) throw notFound('rollout policy');
    return policy;
  }

  return {
    get,
    list: policies.list,

    /** @throws bad_request as `checkWaves`, conflict if the org has as many policies as it can have */
    async create(orgId: string, settings: PolicySettings): Promise<RolloutPolicy> {
      await lockOrg(db, orgId);
      if ((await policies.count(orgId)) >= maxPolicies)
        throw conflict(`the org has ${maxPolicies} rollout policies; delete one first`);
      await checkWaves(db, orgId, 'body.rollout', settings.rollout);
      return policies.create(orgId, settings);
    },

    /**
     * Returns the policy before and after. The rollout is replaced as a whole.
     * @throws not_found, bad_request as `checkWaves`
     */
    async update(
      orgId: string,
      id: string,
      change: PolicyChange,
    ): Promise<{ before: RolloutPolicy; after: RolloutPolicy }> {
      const before = await get(orgId, id, { lock: true });
      if (change.rollout) await checkWaves(db, orgId, 'body.rollout', change.rollout);
      const after = await policies.update(orgId, before.id, change);
      if (!after) throw notFound('rollout policy');
      return { before, after };
    },

    /** Returns the deleted policy. @throws not_found */
    async delete(orgId: string, id: string): Promise<RolloutPolicy> {
      const policy = await get(orgId, id, { lock: true });
      await policies.delete(orgId, policy.id);
      return policy;
    },
  };
}
