/**
 * The peer of H1 and H2: fastify 5 and pg doing by hand what the service does for these two operations. The same checks in the
 * same order, the same SQL, the same headers; validation and serialisation by schema, as fastify has them.
 * DATABASE_URL names the database; it listens on a free port of 127.0.0.1 and says so in a "ready" line.
 */
import { randomUUID } from 'node:crypto';
import fastify, { type FastifyRequest } from 'fastify';
import pg from 'pg';
import { DomainError, forbidden, httpStatus, notFound, unauthorized } from '../../../src/kernel/errors.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { decodeCursor, encodeCursor } from '../../../src/kernel/page.ts';
import { digestOf, tokenKindOf } from '../../../src/kernel/tokens.ts';
import { errorResponse, listQuery, robotList, siteCreate, siteResponse } from './schemas.ts';

interface Principal {
  orgId: string;
  tokenId: string;
  userId: string;
  role: string;
  expiresAt: Date | null;
}

interface RobotRow {
  id: string;
  name: string;
  org_id: string;
  site_id: string;
  fleet_id: string;
  labels: Record<string, string>;
  created_at: Date;
}

const rank = ['viewer', 'operator', 'admin'];
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10, options: '-c TimeZone=UTC' });
const principals = new Map<string, Principal>();

/** Looked up once, then known by its digest, as in the service. */
async function principalOf(authorization: string | undefined): Promise<Principal> {
  const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : '';
  if (tokenKindOf(token) !== 'user') throw unauthorized('token unknown, expired or revoked');
  const digest = digestOf(token);
  const key = digest.toString('base64');
  const known = principals.get(key) ?? (await lookUp(digest));
  if (!known || (known.expiresAt && known.expiresAt.getTime() <= Date.now()))
    throw unauthorized('token unknown, expired or revoked');
  principals.set(key, known);
  return known;
}

async function lookUp(digest: Buffer): Promise<Principal | undefined> {
  const { rows } = await pool.query<Principal>(
    `select t.org_id as "orgId", t.id as "tokenId", u.id as "userId", u.role, t.expires_at as "expiresAt"
     from tokens t join users u on u.org_id = t.org_id and u.id = t.user_id join orgs o on o.id = t.org_id
     where t.digest = $1 and t.revoked_at is null and o.status = 'approved'`,
    [digest],
  );
  return rows[0];
}

async function authorise(request: FastifyRequest, role: string): Promise<Principal> {
  const principal = await principalOf(request.headers.authorization);
  if (rank.indexOf(principal.role) < rank.indexOf(role)) throw forbidden(`needs ${role} or higher`);
  const chosen = request.headers['x-service-org-id'];
  if (chosen !== undefined && chosen !== principal.orgId) throw notFound('org');
  return principal;
}

const app = fastify({
  logger: { level: 'info' },
  disableRequestLogging: true,
  genReqId: () => randomUUID(),
  ajv: { customOptions: { allErrors: false, removeAdditional: false } },
  maxRequestsPerSocket: 1_000,
});

app.decorateRequest('principal', null);
declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

const callerOf = (request: FastifyRequest): Principal => {
  if (!request.principal) throw unauthorized('no token');
  return request.principal;
};

const admit = (role: string) => async (request: FastifyRequest) => {
  request.principal = await authorise(request, role);
};

app.addHook('onSend', async (request, reply) => {
  reply.headers({
    'x-request-id': request.id,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
  });
  if (request.principal) reply.header('x-service-org-id', request.principal.orgId);
});

// One line for each change, as the service writes; reads are told at debug there.
app.addHook('onResponse', async (request, reply) => {
  if (request.method === 'GET') return;
  const { orgId } = callerOf(request);
  request.log.info(
    {
      requestId: request.id,
      method: request.method,
      orgId,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    },
    'request',
  );
});

app.setErrorHandler(async (error: Error & { validation?: unknown }, _request, reply) => {
  const code = error instanceof DomainError ? error.code : error.validation ? 'bad_request' : undefined;
  reply.code(code ? httpStatus[code] : 500);
  return { error: { code: code ?? 'internal_server_error', message: code ? error.message : 'the service failed' } };
});

app.get<{ Querystring: { limit: number; cursor?: string; name?: string; site_id?: string; fleet_id?: string } }>(
  '/api/robots',
  {
    onRequest: admit('viewer'),
    schema: { querystring: listQuery, response: { 200: robotList, '4xx': errorResponse } },
  },
  async (request) => {
    const { limit, cursor, name, site_id: siteId, fleet_id: fleetId } = request.query;
    const values: unknown[] = [callerOf(request).orgId];
    let where = 'org_id = $1';
    const also = (condition: string, ...more: unknown[]) => {
      where += ` and ${condition.replaceAll('?', () => `$${values.push(more.shift())}`)}`;
    };
    if (name !== undefined) also('name = ?', name);
    if (siteId !== undefined) also('site_id = ?', siteId);
    if (fleetId !== undefined) also('fleet_id = ?', fleetId);
    if (cursor !== undefined) {
      const after = decodeCursor(cursor);
      if ('id' in after) also('(created_at, id) > (?, ?)', after.createdAt, after.id);
    }
    const { rows } = await pool.query<RobotRow>(
      `select id, name, org_id, site_id, fleet_id, labels, created_at from robots
       where ${where} order by created_at, id limit $${values.push(limit + 1)}`,
      values,
    );
    const page = rows.length > limit ? rows.slice(0, limit) : rows;
    const last = rows.length > limit ? page.at(-1) : undefined;
    const items = page.map((row) => ({
      id: row.id,
      name: row.name,
      org_id: row.org_id,
      site_id: row.site_id,
      fleet_id: row.fleet_id,
      online: false,
      labels: row.labels,
      created_at: row.created_at.toISOString(),
    }));
    return last ? { items, next_cursor: encodeCursor({ createdAt: last.created_at, id: last.id }) } : { items };
  },
);

app.post<{ Body: { name: string } }>(
  '/api/sites',
  { onRequest: admit('operator'), schema: { body: siteCreate, response: { 201: siteResponse, '4xx': errorResponse } } },
  async (request, reply) => {
    const caller = callerOf(request);
    const client = await pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query<{ id: string; name: string; created_at: Date }>(
        'insert into sites (org_id, id, name) values ($1, $2, $3) returning id, name, created_at',
        [caller.orgId, newId(), request.body.name],
      );
      const site = rows[0];
      if (!site) throw new Error('an insert gave no row');
      const data = { id: site.id, name: site.name, created_at: site.created_at.toISOString() };
      await client.query(
        `insert into audit (org_id, id, actor_kind, actor_id, token_id, request_id, operation, object_kind, object_id, after)
         values ($1, $2, 'user', $3, $4, $5, 'createSite', 'site', $6, $7)`,
        [caller.orgId, newId(), caller.userId, caller.tokenId, request.id, site.id, JSON.stringify(data)],
      );
      await client.query('commit');
      reply.code(201);
      return { data };
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  },
);

const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.once('SIGTERM', () => void app.close().then(() => pool.end()));
app.log.info({ url }, 'ready');
