import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { isId } from '../../../src/kernel/ids.ts';
import { decodeCursor, encodeCursor, foreignCursor } from '../../../src/kernel/page.ts';
import { isKnown, listTag } from '../../../src/platform/http/reply/etags.ts';
import { callerOf } from './fastify-access.ts';
import { errorResponse, listQuery, robotList } from './schemas.ts';

interface RobotRow {
  id: string;
  name: string;
  org_id: string;
  site_id: string;
  fleet_id: string;
  labels: object;
  replaces: string | null;
  replaced_by: string | null;
  retired_at: Date | null;
  created_at: Date;
  online: boolean;
  last_seen_at: Date | null;
  duplicate_agent_at: Date | null;
  reported: object;
  cameras: string[] | null;
  topics: boolean | null;
  timezone: string | null;
  health_status: string;
  health_since: Date | null;
  conditions: object[];
  maintenance: object | null;
  pin: object | null;
}

const columns = [
  ...['id', 'name', 'org_id', 'site_id', 'fleet_id', 'labels', 'replaces', 'replaced_by', 'retired_at', 'created_at'],
  ...['online', 'last_seen_at', 'duplicate_agent_at', 'reported', 'cameras', 'topics', 'timezone', 'health_status'],
  ...['health_since', 'conditions', 'maintenance', 'pin'],
];
const select = `select "${columns.join('", "')}" from "robots_now"`;

interface ListQuery {
  limit: number;
  cursor?: string;
  name?: string;
  site_id?: string;
  fleet_id?: string;
  retired?: boolean;
}

/** `GET /api/robots`, one page: the statement of the service, rows as objects, and JSON by the schema of the response. */
export function robotRoutes(app: FastifyInstance, pool: pg.Pool): void {
  app.get<{ Querystring: ListQuery }>(
    '/api/robots',
    {
      config: { operation: 'listRobots', role: 'viewer' },
      schema: { querystring: listQuery, response: { 200: robotList, '4xx': errorResponse } },
      async onSend(request, reply, payload) {
        if (reply.statusCode !== 200) return payload;
        const tag = listTag(payload as string);
        reply.header('etag', tag);
        if (!isKnown(request.headers['if-none-match'], tag)) return payload;
        reply.code(304);
        return null;
      },
    },
    async (request) => {
      const { limit } = request.query;
      const rows = await readRobots(pool, callerOf(request).orgId, request.query);
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      const items = rows.slice(0, limit).map(toWire);
      return last ? { items, next_cursor: encodeCursor({ createdAt: last.created_at, id: last.id }) } : { items };
    },
  );
}

/** One row more than the page, if there is one: then another page follows. */
async function readRobots(pool: pg.Pool, orgId: string, query: ListQuery): Promise<RobotRow[]> {
  const { limit, cursor, name, site_id: siteId, fleet_id: fleetId, retired = false } = query;
  if ([siteId, fleetId].some((id) => id !== undefined && !isId(id))) return [];
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  let where = `retired_at is ${retired ? 'not ' : ''}null and "org_id" = ${bind(orgId)}`;
  if (name !== undefined) where += ` and name_key = name_key(${bind(name)})`;
  if (siteId !== undefined) where += ` and "site_id" = ${bind(siteId)}`;
  if (fleetId !== undefined) where += ` and "fleet_id" = ${bind(fleetId)}`;
  if (cursor !== undefined) {
    const after = decodeCursor(cursor);
    if ('key' in after) throw foreignCursor();
    where += ` and (created_at, id) > (${bind(after.createdAt)}, ${bind(after.id)})`;
  }
  const sql = `${select} where ${where} order by created_at, id limit ${bind(limit + 1)}`;
  return (await pool.query<RobotRow>(sql, values)).rows;
}

/** Fields that are null are absent. */
const toWire = (row: RobotRow) => ({
  id: row.id,
  name: row.name,
  org_id: row.org_id,
  site_id: row.site_id,
  fleet_id: row.fleet_id,
  labels: row.labels,
  replaces: row.replaces ?? undefined,
  replaced_by: row.replaced_by ?? undefined,
  retired_at: row.retired_at ?? undefined,
  created_at: row.created_at,
  online: row.online,
  last_seen_at: row.last_seen_at ?? undefined,
  duplicate_agent_at: row.duplicate_agent_at ?? undefined,
  reported: row.reported,
  cameras: row.cameras ?? undefined,
  topics: row.topics ?? undefined,
  timezone: row.timezone ?? undefined,
  health_status: row.health_status,
  health_since: row.health_since ?? undefined,
  conditions: row.conditions,
  maintenance: row.maintenance ?? undefined,
  pin: row.pin ?? undefined,
});
