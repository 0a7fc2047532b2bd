import type { Knex } from 'knex';
import { conflict, notFound } from '../kernel/errors.ts';
import { siteService } from '../sites/service.ts';
import { obstacleOf, type Fleet } from './model.ts';
import { fleetStore, type FleetLock } from './store.ts';

export type FleetService = ReturnType<typeof fleetService>;

export function fleetService(db: Knex) {
  const fleets = fleetStore(db);

  /** @throws not_found */
  async function get(orgId: string, id: string, options?: { lock?: FleetLock }): Promise<Fleet> {
    const fleet = await fleets.find(orgId, id, options);
    if (!fleet) throw notFound('fleet');
    return fleet;
  }

  return {
    get,
    list: fleets.list,
    idsOfSite: fleets.idsOfSite,

    /** Needs a transaction. @throws not_found if the org has no such site, conflict if the name is taken */
    async create(orgId: string, wanted: { name: string; siteId: string }): Promise<Fleet> {
      await siteService(db).get(orgId, wanted.siteId);
      return fleets.create(orgId, wanted);
    },

    /** Returns the fleet before and after. Needs a transaction. @throws not_found, conflict if the name is taken */
    async rename(orgId: string, id: string, name: string): Promise<{ before: Fleet; after: Fleet }> {
      const before = await get(orgId, id, { lock: 'change' });
      const after = await fleets.rename(before, orgId, name);
      if (!after) throw notFound('fleet');
      return { before, after };
    },

    /**
     * Returns the deleted fleet. Its revoked, expired and used-up enrollment keys are deleted too. Needs a transaction.
     * @throws not_found, conflict while it is not empty
     */
    async delete(orgId: string, id: string): Promise<Fleet> {
      const fleet = await get(orgId, id, { lock: 'change' });
      const obstacle = obstacleOf(await fleets.contentOf(orgId, fleet.id));
      if (obstacle !== undefined) throw conflict(`fleet "${fleet.name}" has ${obstacle}`);
      await fleets.delete(orgId, fleet.id);
      return fleet;
    },
  };
}
