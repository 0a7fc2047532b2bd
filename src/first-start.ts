import type { Knex } from 'knex';
import { auditService } from './audit/service.ts';
import { orgService } from './orgs/service.ts';

/**
 * Creates the approved org `local` in a database without orgs, so that a new operator can begin. Returns its token,
 * once; else undefined.
 */
export async function createFirstOrg(db: Knex): Promise<string | undefined> {
  return db.transaction(async (trx) => {
    // Two servers that start together on one empty database must not create two.
    await trx.raw("select pg_advisory_xact_lock(hashtextextended('first org', 0))");
    const first = await orgService(trx).createFirst();
    if (!first) return undefined;
    await auditService(trx).record(first.orgId, {
      actor: { kind: 'system' },
      operation: 'createOrg',
      objectKind: 'org',
      objectId: first.orgId,
      after: { name: 'local', status: 'approved' },
    });
    return first.token;
  });
}

/** The message of the very first start. It contains a secret, so it goes to the terminal, never to the logger. */
export const welcome = (url: string, token: string): string => `
The org "local" is ready. Its admin token is shown this once:

  cli login --base-url ${url} --token ${token}

API reference: ${url}/docs
`;
