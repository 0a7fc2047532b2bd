import type { Knex } from 'knex';
import { notFound } from '../kernel/errors.ts';
import type { Site } from './model.ts';
import { siteStore } from './store.ts';

export type SiteService = ReturnType<typeof siteService>;

export function siteService(db: Knex) {
  const sites = siteStore(db);
  return {
    create: sites.create,
    list: sites.list,

    /** @throws not_found */
    async get(orgId: string, id: string): Promise<Site> {
      const site = await sites.find(orgId, id);
      if (!site) throw notFound('site');
      return site;
    },
  };
}
