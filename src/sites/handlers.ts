import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import { listReply } from '../platform/http/reply/list.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import type { Site } from './model.ts';
import type { SiteService } from './service.ts';

export const siteHandlers = (sites: (db: Knex) => SiteService) =>
  ({
    listSites: ({ caller, db, query }) => listReply(query, (page) => sites(db).list(caller.orgId, query, page)),

    async createSite({ caller, db, body }) {
      const site = toWire(await sites(db).create(caller.orgId, body.name));
      return {
        status: 201,
        body: { data: site },
        audit: { orgId: caller.orgId, objectKind: 'site', objectId: site.id, after: site },
      };
    },
  }) satisfies Pick<Handlers, 'listSites' | 'createSite'>;

const toWire = (site: Site): components['schemas']['Site'] => ({
  id: site.id,
  name: site.name,
  created_at: site.createdAt.toISOString(),
});
