import type { Knex } from 'knex';
import { unauthorized } from '../kernel/errors.ts';
import { digestOf } from '../kernel/tokens.ts';
import type { grantCache } from './grants.ts';
import type { Grant } from './model.ts';
import { tokenStore } from './store.ts';

/** Finds out who bears an org, user or robot token. */
export function tokenAuthenticator(db: Knex, cache: ReturnType<typeof grantCache>) {
  const tokens = tokenStore(db);
  /** @throws unauthorized */
  return async (value: string): Promise<Grant['caller']> => {
    const digest = digestOf(value);
    const grant = await cache(digest, () => tokens.findGrant(digest));
    if (!grant) throw unauthorized('token unknown, expired or revoked');
    if (grant.orgSuspended) throw unauthorized('the org is suspended');
    return grant.caller;
  };
}
