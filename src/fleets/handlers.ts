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
        audit: { ...about(caller.orgId, fleet), after: fleet },
      };
    },

    async getFleet({ caller, db, params }) {
      return { status: 200, body: { data: toWire(await fleets(db).get(caller.orgId, params.id)) } };
    },

    async updateFleet({ caller, db, params, body }) {
      const { before, after } = await fleets(db).rename(caller.orgId, params.id, body.name);
      const fleet = toWire(after);
      return {
        status: 200,
        body: { data: fleet },
        audit: { ...about(caller.orgId, fleet), before: toWire(before), after: fleet },
      };
    },

    async deleteFleet({ caller, db, params }) {
      const fleet = toWire(await fleets(db).delete(caller.orgId, params.id));
      return { status: 200, body: { data: fleet }, audit: { ...about(caller.orgId, fleet), before: fleet } };
    },
  }) satisfies Pick<Handlers, 'listFleets' | 'createFleet' | 'getFleet' | 'updateFleet' | 'deleteFleet'>;

const about = (orgId: string, fleet: { id: string }) => ({ orgId, objectKind: 'fleet', objectId: fleet.id });

const toWire = (fleet: Fleet): components['schemas']['Fleet'] => ({
  id: fleet.id,
  name: fleet.name,
  site_id: fleet.siteId,
  created_at: fleet.createdAt.toISOString(),
});
