import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import { badRequest } from '../kernel/errors.ts';
import { readInstant } from '../kernel/instants.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import type { Point } from './model.ts';
import type { LogStats, LogStatService, NamedSeries } from './service.ts';

type Schemas = components['schemas'];

export const logStatHandlers = (stats: (db: Knex) => LogStatService) =>
  ({
    async getLogStats({ caller, db, query }) {
      const { robot_id: robotId, fleet_id: fleetId, site_id: siteId, source, since, until, step, by = 'none' } = query;
      const range = { since: instant('query.since', since), until: instant('query.until', until), step, by };
      const found = await stats(db).read(caller.orgId, { robotId, fleetId, siteId, source }, range);
      return { status: 200, body: { data: toWire(found) } };
    },
  }) satisfies Pick<Handlers, 'getLogStats'>;

function instant(name: string, text: string | undefined): Date | undefined {
  const at = text === undefined ? undefined : readInstant(text);
  if (text !== undefined && !at)
    throw badRequest(`${name}: must be an instant from 1970 on, such as 2026-11-21T09:00:00Z`);
  return at;
}

const toWire = ({ startMs, endMs, step, countedTo, total, series, rest }: LogStats): Schemas['LogStats'] => ({
  start_at: new Date(startMs).toISOString(),
  end_at: new Date(endMs).toISOString(),
  step,
  ...(countedTo && { counted_to: countedTo.toISOString() }),
  total: seriesToWire(total),
  series: series.map(seriesToWire),
  ...(rest && { rest: seriesToWire(rest) }),
});

const seriesToWire = ({ robotId, source, lines, bytes, levels, points }: NamedSeries): Schemas['LogStatsSeries'] => ({
  lines,
  bytes,
  levels,
  points: points.map(pointToWire),
  ...(robotId !== undefined && { robot_id: robotId }),
  ...(source !== undefined && { source }),
});

const pointToWire = ({ atMs, lines, bytes, levels }: Point): Schemas['LogStatsPoint'] => ({
  at: new Date(atMs).toISOString(),
  lines,
  bytes,
  levels,
});
