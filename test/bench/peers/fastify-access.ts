import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { forbidden, notFound, unauthorized } from '../../../src/kernel/errors.ts';
import { digestOf, tokenKindOf } from '../../../src/kernel/tokens.ts';

export interface Principal {
  orgId: string;
  tokenId: string;
  userId: string;
  role: string;
  expiresAt: Date | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
  interface FastifyContextConfig {
    operation?: string;
    role?: string;
  }
}

const roles = ['viewer', 'operator', 'admin'];

export const callerOf = (request: FastifyRequest): Principal => {
  if (!request.principal) throw unauthorized('token missing');
  return request.principal;
};

/** The hook that admits a request. As in the service, a token is looked up once and then known by its digest. */
export function admission(pool: pg.Pool): (request: FastifyRequest) => Promise<void> {
  const known = new Map<string, Principal>();

  async function principalOf(authorization: string | undefined): Promise<Principal> {
    if (authorization === undefined) throw unauthorized('token missing');
    const token = /^Bearer ([!-~]{1,512})$/i.exec(authorization)?.[1] ?? '';
    if (tokenKindOf(token) !== 'user') throw refused();
    const digest = digestOf(token);
    const key = digest.toString('base64');
    const principal = known.get(key) ?? (await lookUp(pool, digest));
    if (!principal || (principal.expiresAt && principal.expiresAt.getTime() <= Date.now())) throw refused();
    known.set(key, principal);
    return principal;
  }

  return async (request) => {
    const principal = (request.principal = await principalOf(request.headers.authorization));
    const org = request.headers['x-service-org-id'];
    if (org !== undefined && String(org).toLowerCase() !== principal.orgId) throw notFound('org');
    const { role = 'viewer' } = request.routeOptions.config;
    if (roles.indexOf(principal.role) < roles.indexOf(role))
      throw forbidden(`needs ${role} or higher; this token is ${principal.role}`);
  };
}

const refused = () => unauthorized('token unknown, expired or revoked');

async function lookUp(pool: pg.Pool, digest: Buffer): Promise<Principal | undefined> {
  const { rows } = await pool.query<Principal>(
    `select t.org_id as "orgId", t.id as "tokenId", u.id as "userId", u.role, t.expires_at as "expiresAt"
     from tokens t join users u on u.org_id = t.org_id and u.id = t.user_id join orgs o on o.id = t.org_id
     where t.digest = $1 and t.revoked_at is null and o.status = 'approved'`,
    [digest],
  );
  return rows[0];
}
