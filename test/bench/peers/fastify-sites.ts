import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { conflict } from '../../../src/kernel/errors.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { callerOf } from './fastify-access.ts';
import { errorResponse, siteCreate, siteResponse } from './schemas.ts';

interface SiteRow {
  id: string;
  name: string;
  created_at: Date;
}

/**
 * `POST /api/sites`: the site and its audit entry in one transaction, each statement after the one before. The service
 * sets a savepoint before the site and goes on after a name is taken. Here the transaction ends, which gives the same response.
 */
export function siteRoutes(app: FastifyInstance, pool: pg.Pool): void {
  app.post<{ Body: { name: string } }>(
    '/api/sites',
    {
      config: { operation: 'createSite', role: 'operator' },
      schema: { body: siteCreate, response: { 201: siteResponse, '4xx': errorResponse } },
    },
    async (request, reply) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const data = await createSite(client, request, request.body.name);
        await client.query('commit');
        reply.code(201);
        return { data };
      } catch (error) {
        await client.query('rollback');
        throw isNameTaken(error) ? await nameConflict(client, request, request.body.name) : error;
      } finally {
        client.release();
      }
    },
  );
}

async function createSite(client: pg.PoolClient, request: FastifyRequest, name: string): Promise<SiteRow> {
  const caller = callerOf(request);
  const { rows } = await client.query<SiteRow>(
    'insert into sites (org_id, id, name) values ($1, $2, $3) returning id, name, created_at',
    [caller.orgId, newId(), name],
  );
  const [site] = rows;
  if (!site) throw new Error('an insert gave no row');
  await client.query(
    `insert into audit (org_id, id, actor_kind, actor_id, token_id, request_id, operation, object_kind, object_id, after)
     values ($1, $2, 'user', $3, $4, $5, 'createSite', 'site', $6, $7)`,
    [caller.orgId, newId(), caller.userId, caller.tokenId, request.id, site.id, JSON.stringify(site)],
  );
  return site;
}

const isNameTaken = (error: unknown): boolean =>
  (error as { constraint?: unknown } | null)?.constraint === 'sites_name_taken';

async function nameConflict(client: pg.PoolClient, request: FastifyRequest, name: string): Promise<Error> {
  const { rows } = await client.query<{ id: string; name: string }>(
    'select id, name from sites where org_id = $1 and name_key = name_key($2)',
    [callerOf(request).orgId, name],
  );
  const [holder] = rows;
  return conflict(
    holder
      ? `site name "${holder.name}" is taken by site ${holder.id}; choose another name`
      : `site name "${name}" was taken; try again`,
  );
}
