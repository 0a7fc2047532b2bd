import type { Knex } from 'knex';
import { QuotaExceeded, type QuotaRoom } from '../kernel/errors.ts';
import { orgService } from '../orgs/service.ts';
import { refusalOf, type QuotaLimits, type Quotas, type StoredName } from './model.ts';
import { quotaStore } from './store.ts';

export type QuotaService = ReturnType<typeof quotaService>;

/** Limits of what an org may have. Nothing is removed if a limit is set below what the org uses. */
export function quotaService(db: Knex) {
  const quotas = quotaStore(db);

  return {
    get: quotas.get,
    findStreams: quotas.findStreams,
    setStreams: quotas.setStreams,
    forgetStreams: quotas.forgetStreams,

    /** For the operator of the service, who can name an org that does not exist. @throws not_found */
    async getOf(orgId: string): Promise<Quotas> {
      return quotas.get((await orgService(db).get(orgId)).id);
    },

    /** Sets all limits; those left out are none. Needs a transaction. @throws not_found */
    async set(orgId: string, limits: QuotaLimits): Promise<{ before: Quotas; after: Quotas }> {
      const { id } = await orgService(db).get(orgId);
      await quotas.lock(id);
      const before = await quotas.get(id);
      await quotas.setLimits(id, limits);
      return { before, after: await quotas.get(id) };
    },

    /**
     * Refuses early what would exceed the quota, without a lock: the transaction that adds it must call `check`.
     * @throws QuotaExceeded
     */
    async checkRoom(orgId: string, name: StoredName, wanted: number): Promise<void> {
      const quota = await quotas.find(orgId, name);
      if (quota && quota.used + wanted > quota.limit) throw exceeded(name, quota, wanted);
    },

    /**
     * Refuses what the transaction has just added, if the org now exceeds the quota. The trigger that counted it holds
     * the row of the org, so this is exact. Returns what is left; undefined without a quota. @throws QuotaExceeded
     */
    async check(orgId: string, name: StoredName, added: number): Promise<QuotaRoom | undefined> {
      const quota = await quotas.find(orgId, name);
      if (!quota) return undefined;
      const { limit, used } = quota;
      if (added > 0 && used > limit) throw exceeded(name, { limit, used: used - added }, added);
      return { name, limit, left: Math.max(0, limit - used) };
    },
  };
}

const exceeded = (name: StoredName, quota: { limit: number; used: number }, wanted: number) =>
  new QuotaExceeded(refusalOf(name, quota, wanted), {
    name,
    limit: quota.limit,
    left: Math.max(0, quota.limit - quota.used),
  });
