import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import { listReply } from '../platform/http/reply/list.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import type { Fleet } from './model.ts';
import type { FleetService } from './service.ts';

export const fleetHandlers = (fleets: (db: Knex) => FleetService) =>
  ({
    listFleets: ({ caller, db, query }) =>
      listReply(query, (page) => fleets(db).list(caller.orgId, { name: query.name, siteId: query.site_id }, page)),

    async createFleet({ caller, db, body }) {
      const fleet = toWire(await fleets(db).create(caller.orgId, { name: body.name, siteId: body.site_id }));
      return {
        status: 201,
        body: { data: fleet },
        audit: { orgId: caller.orgId, objectKind: 'fleet', objectId: fleet.id, after: fleet },
      };
    },
  }) satisfies Pick<Handlers, 'listFleets' | 'createFleet'>;

const toWire = (fleet: Fleet): components['schemas']['Fleet'] => ({
  id: fleet.id,
  name: fleet.name,
  site_id: fleet.siteId,
  created_at: fleet.createdAt.toISOString(),
});
