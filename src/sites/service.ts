import type { Knex } from 'knex';
import { conflict, notFound } from '../kernel/errors.ts';
import type { Site, SiteChange } from './model.ts';
import { siteStore } from './store.ts';

export type SiteService = ReturnType<typeof siteService>;

export function siteService(db: Knex) {
  const sites = siteStore(db);

  /** @throws not_found */
  async function get(orgId: string, id: string, options?: { lock?: boolean }): Promise<Site> {
    const site = await sites.find(orgId, id, options);
    if (!site) throw notFound('site');
    return site;
  }

  return {
    get,
    list: sites.list,

    /** Needs a transaction. @throws conflict if the name is taken */
    create: sites.create,

    /** Returns the site before and after. Needs a transaction. @throws not_found, conflict if the name is taken */
    async update(orgId: string, id: string, change: SiteChange): Promise<{ before: Site; after: Site }> {
      const before = await get(orgId, id, { lock: true });
      const after = await sites.update(orgId, before, change);
      if (!after) throw notFound('site');
      return { before, after };
    },

    /** Returns the deleted site. Needs a transaction. @throws not_found, conflict while it has fleets */
    async delete(orgId: string, id: string): Promise<Site> {
      const site = await get(orgId, id, { lock: true });
      const fleets = await sites.countFleets(orgId, site.id);
      if (fleets > 0)
        throw conflict(`site "${site.name}" has ${fleets} fleet${fleets === 1 ? '' : 's'}; delete them first`);
      await sites.delete(orgId, site.id);
      return site;
    },
  };
}
