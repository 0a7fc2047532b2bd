import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import { badRequest } from '../kernel/errors.ts';
import { readInstant } from '../kernel/instants.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import { usualLimit, type Level, type LogPage, type LogQuery, type LogRecord } from './model.ts';
import type { LogService } from './service.ts';

export const logHandlers = (logs: (db: Knex) => LogService) =>
  ({
    async listRobotLogs({ caller, db, params, query }) {
      const { after, cursor } = query;
      const page = await logs(db).listForRobot(caller.orgId, params.id, { ...fromWire(query), after, cursor });
      return { status: 200, body: toWire(page) };
    },

    async listFleetLogs({ caller, db, params, query }) {
      const page = await logs(db).listForFleet(caller.orgId, params.id, { ...fromWire(query), cursor: query.cursor });
      return { status: 200, body: toWire(page) };
    },

    async listLogs({ caller, db, query }) {
      const filter = { robotId: query.robot_id, fleetId: query.fleet_id, siteId: query.site_id };
      const order = query.order === 'asc' ? 'oldest' : 'newest';
      const { records, next } = await logs(db).search(caller.orgId, filter, {
        ...fromWire(query),
        order,
        cursor: query.cursor,
      });
      return {
        status: 200,
        body: {
          items: records.map(recordToWire),
          ...(next && { next_cursor: next.cursor, read_to: new Date(next.readToMs).toISOString() }),
        },
      };
    },
  }) satisfies Pick<Handlers, 'listRobotLogs' | 'listFleetLogs' | 'listLogs'>;

interface WireQuery {
  limit?: number;
  level?: Level;
  source?: string;
  q?: string;
  since?: string;
  until?: string;
}

/** @throws bad_request for times that are invalid or exclude each other */
function fromWire({ limit, level, source, q, ...times }: WireQuery): LogQuery {
  const since = times.since === undefined ? undefined : instant('since', times.since);
  const until = times.until === undefined ? undefined : instant('until', times.until);
  if (since && until && since > until) throw badRequest('query.since: must not be after `until`');
  return { limit: limit ?? usualLimit, level, source, text: q, since, until };
}

export function instant(name: string, text: string): Date {
  const at = readInstant(text);
  if (!at) throw badRequest(`${name}: must be an instant from 1970 on, such as 2026-11-21T09:00:00Z`);
  return at;
}

const toWire = ({ records, next }: LogPage): components['schemas']['LogRecordList'] => ({
  items: records.map(recordToWire),
  ...(next === undefined ? {} : { next_cursor: next }),
});

export const recordToWire = ({ seq, robotId, receivedAtMs, kept }: LogRecord): components['schemas']['LogRecord'] => ({
  seq,
  robot_id: robotId,
  received_at: new Date(receivedAtMs).toISOString(),
  ...kept,
});
