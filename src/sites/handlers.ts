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
      const site = toWire(await sites(db).create(caller.orgId, body.name, body.artifact_base_url));
      return {
        status: 201,
        body: { data: site },
        audit: { ...about(caller.orgId, site), after: site },
      };
    },

    async getSite({ caller, db, params }) {
      return { status: 200, body: { data: toWire(await sites(db).get(caller.orgId, params.id)) } };
    },

    async updateSite({ caller, db, params, body }) {
      const change = { name: body.name, artifactBaseUrl: body.artifact_base_url };
      const { before, after } = await sites(db).update(caller.orgId, params.id, change);
      const site = toWire(after);
      return {
        status: 200,
        body: { data: site },
        audit: { ...about(caller.orgId, site), before: toWire(before), after: site },
      };
    },

    async deleteSite({ caller, db, params }) {
      const site = toWire(await sites(db).delete(caller.orgId, params.id));
      return { status: 200, body: { data: site }, audit: { ...about(caller.orgId, site), before: site } };
    },
  }) satisfies Pick<Handlers, 'listSites' | 'createSite' | 'getSite' | 'updateSite' | 'deleteSite'>;

const about = (orgId: string, site: { id: string }) => ({ orgId, objectKind: 'site', objectId: site.id });

const toWire = (site: Site): components['schemas']['Site'] => ({
  id: site.id,
  name: site.name,
  ...(site.artifactBaseUrl !== undefined && { artifact_base_url: site.artifactBaseUrl }),
  created_at: site.createdAt.toISOString(),
});
