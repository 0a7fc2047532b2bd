import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import type { Quotas } from './model.ts';
import type { QuotaService } from './service.ts';

export const quotaHandlers = (quotas: (db: Knex) => QuotaService) =>
  ({
    async getQuotas({ caller, db }) {
      return { status: 200, body: { data: toWire(await quotas(db).get(caller.orgId)) } };
    },

    async getOrgQuotas({ db, params }) {
      return { status: 200, body: { data: toWire(await quotas(db).getOf(params.id)) } };
    },

    async setOrgQuotas({ db, params, body }) {
      const { before, after } = await quotas(db).set(params.id, body);
      const data = toWire(after);
      const audit = { orgId: params.id, objectKind: 'org', objectId: params.id };
      return {
        status: 200,
        body: { data },
        audit: { ...audit, before: { quotas: limitsOf(before) }, after: { quotas: limitsOf(after) } },
      };
    },
  }) satisfies Pick<Handlers, 'getQuotas' | 'getOrgQuotas' | 'setOrgQuotas'>;

const limitsOf = ({ robots, artifact_bytes: bytes, live_streams: streams, log_bytes_per_day: logBytes }: Quotas) => ({
  ...(robots.limit === undefined ? {} : { robots: robots.limit }),
  ...(bytes.limit === undefined ? {} : { artifact_bytes: bytes.limit }),
  ...(streams.limit === undefined ? {} : { live_streams: streams.limit }),
  ...(logBytes.limit === undefined ? {} : { log_bytes_per_day: logBytes.limit }),
});

/** Only of an org with the limit. */
const logUseOf = ({ log_bytes_per_day: { used, refusedRecords } }: Quotas) =>
  used === undefined || refusedRecords === undefined
    ? {}
    : { log_bytes_per_day: used, refused_log_records: refusedRecords };

const toWire = (quotas: Quotas): components['schemas']['Quotas'] => ({
  ...limitsOf(quotas),
  used: {
    ...logUseOf(quotas),
    robots: quotas.robots.used,
    artifact_bytes: quotas.artifact_bytes.used,
    live_streams: quotas.live_streams.used,
  },
});
