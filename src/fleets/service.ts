import type { Knex } from 'knex';
import { notFound } from '../kernel/errors.ts';
import { siteService } from '../sites/service.ts';
import type { Fleet } from './model.ts';
import { fleetStore } from './store.ts';

export type FleetService = ReturnType<typeof fleetService>;

export function fleetService(db: Knex) {
  const fleets = fleetStore(db);
  return {
    list: fleets.list,

    /** @throws not_found if the org has no such site */
    async create(orgId: string, wanted: { name: string; siteId: string }): Promise<Fleet> {
      await siteService(db).get(orgId, wanted.siteId);
      return fleets.create(orgId, wanted);
    },

    /** @throws not_found */
    async get(orgId: string, id: string): Promise<Fleet> {
      const fleet = await fleets.find(orgId, id);
      if (!fleet) throw notFound('fleet');
      return fleet;
    },
  };
}
