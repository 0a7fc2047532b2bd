import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import { badRequest } from '../kernel/errors.ts';
import { readInstant } from '../kernel/instants.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import { listReply } from '../platform/http/reply/list.ts';
import type { RobotService } from '../robots/service.ts';
import { seriesNames, type Row, type SeriesName } from './model.ts';
import type { MetricHistory, MetricService } from './service.ts';

export const metricHandlers = (metrics: (db: Knex) => MetricService, robots: (db: Knex) => RobotService) =>
  ({
    async getRobotMetrics({ caller, db, params, query }) {
      const { since, until, resolution, series } = query;
      const robot = await robots(db).get(caller.orgId, params.id);
      const history = await metrics(db).read(caller.orgId, robot.id, {
        since: since === undefined ? undefined : instant('query.since', since),
        until: until === undefined ? undefined : instant('query.until', until),
        resolution,
        series: series === undefined ? seriesNames : namesIn(series),
      });
      return { status: 200, body: { data: { robot_id: robot.id, ...toWire(history) } } };
    },

    listRobotMetrics: ({ caller, db, query }) =>
      listReply(query, (page) =>
        metrics(db).listNow(caller.orgId, { siteId: query.site_id, fleetId: query.fleet_id }, page),
      ),
  }) satisfies Pick<Handlers, 'getRobotMetrics' | 'listRobotMetrics'>;

function instant(name: string, text: string): Date {
  const at = readInstant(text);
  if (!at) throw badRequest(`${name}: must be an instant from 1970 on, such as 2026-11-21T09:00:00Z`);
  return at;
}

/** Each name once. @throws bad_request for an unknown one */
function namesIn(text: string): SeriesName[] {
  const names = [...new Set(text.split(','))];
  for (const name of names)
    if (!(seriesNames as readonly string[]).includes(name))
      throw badRequest(`query.series: unknown series "${name}"; known are ${seriesNames.join(', ')}`);
  return names as SeriesName[];
}

type Wire = components['schemas']['RobotMetrics'];

const toWire = ({ resolution, startMs, intervalMs, length, series }: MetricHistory): Omit<Wire, 'robot_id'> => ({
  resolution,
  start_at: new Date(startMs).toISOString(),
  end_at: new Date(startMs + length * intervalMs).toISOString(),
  interval_seconds: intervalMs / 1_000,
  series: Object.fromEntries(
    series.map(({ name, values, min, max }) => {
      const times = values.flatMap((value, at) => (value === undefined ? [] : [(startMs + at * intervalMs) / 1_000]));
      const known = (row: Row) => row.filter((value) => value !== undefined);
      return [name, { times, values: known(values), ...(min && { min: known(min) }), ...(max && { max: known(max) }) }];
    }),
  ),
});
