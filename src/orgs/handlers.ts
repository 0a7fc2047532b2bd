import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import { listReply } from '../platform/http/reply/list.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import type { Org } from './model.ts';
import type { OrgService } from './service.ts';

type Operations =
  'getOrg' | 'updateOrg' | 'listOrgs' | 'createOrg' | 'approveOrg' | 'suspendOrg' | 'resumeOrg' | 'getStats';

/** `process`: facts of the responding process for getStats. */
export const orgHandlers = (orgs: (db: Knex) => OrgService, process: { version: string; startedAt: Date }) =>
  ({
    async getOrg({ caller, db }) {
      return { status: 200, body: { data: toWire(await orgs(db).get(caller.orgId)) } };
    },

    async updateOrg({ caller, db, body }) {
      const { before, after } = await orgs(db).update(caller.orgId, { recordShells: body.record_shells });
      const org = toWire(after);
      return { status: 200, body: { data: org }, audit: { ...about(org), before: toWire(before), after: org } };
    },

    listOrgs: ({ db, query }) => listReply(query, (page) => orgs(db).list({ status: query.status }, page)),

    async createOrg({ db, body }) {
      const org = toAdminWire(await orgs(db).create(body.name));
      return { status: 201, body: { data: org }, audit: { ...about(org), after: org } };
    },

    async approveOrg({ db, params }) {
      const { before, after, token } = await orgs(db).approve(params.id);
      const org = toAdminWire(after);
      return { status: 200, body: { data: { org, token } }, ...changed(before, org) };
    },

    async suspendOrg({ db, params }) {
      const { before, after } = await orgs(db).suspend(params.id);
      const org = toAdminWire(after);
      return { status: 200, body: { data: org }, ...changed(before, org) };
    },

    async resumeOrg({ db, params }) {
      const { before, after } = await orgs(db).resume(params.id);
      const org = toAdminWire(after);
      return { status: 200, body: { data: org }, ...changed(before, org) };
    },

    async getStats({ db }) {
      const counts = await orgs(db).count();
      return {
        status: 200,
        body: {
          data: {
            version: process.version,
            started_at: process.startedAt.toISOString(),
            orgs_pending: counts.orgsPending,
            orgs_approved: counts.orgsApproved,
            orgs_suspended: counts.orgsSuspended,
            users: counts.users,
            robots: counts.robots,
            sites: counts.sites,
            fleets: counts.fleets,
            enrollment_keys: counts.enrollmentKeys,
            tokens: counts.tokens,
            database_bytes: counts.databaseBytes,
          },
        },
      };
    },
  }) satisfies Pick<Handlers, Operations>;

const about = (org: { id: string }) => ({ orgId: org.id, objectKind: 'org', objectId: org.id });

const changed = (before: Org, after: components['schemas']['Org']) => ({
  audit: { ...about(after), before: toAdminWire(before), after },
  announce: [{ topic: 'access_changed' as const, orgId: after.id }],
});

const toWire = (org: Org): components['schemas']['Org'] => ({
  id: org.id,
  name: org.name,
  status: org.status,
  record_shells: org.recordShells,
  created_at: org.createdAt.toISOString(),
  ...(org.approvedAt ? { approved_at: org.approvedAt.toISOString() } : {}),
  ...(org.suspendedAt ? { suspended_at: org.suspendedAt.toISOString() } : {}),
});

/** For the service's operator: `requested_by` is an email address, which not every member of the org may see. */
const toAdminWire = (org: Org): components['schemas']['Org'] => ({
  ...toWire(org),
  ...(org.requestedBy === undefined ? {} : { requested_by: org.requestedBy }),
});
