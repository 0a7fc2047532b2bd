import type { Knex } from 'knex';
import { unauthorized } from '../kernel/errors.ts';
import { digestOf } from '../kernel/tokens.ts';
import type { grantCache } from './grants.ts';
import type { Grant } from './model.ts';
import { tokenStore } from './store.ts';

/** Finds out who bears an org, user or robot token. */
export function tokenAuthenticator(db: Knex, cache: ReturnType<typeof grantCache>) {
  const tokens = tokenStore(db);
  /** Undefined for a token that is unknown, expired or revoked. @throws unauthorized for a good one of an org that is not approved */
  return async (value: string): Promise<Grant['caller'] | undefined> => {
    const digest = digestOf(value);
    const grant = await cache(digest, () => tokens.findGrant(digest));
    if (grant?.orgSuspended) throw unauthorized('the org is suspended');
    return grant?.caller;
  };
}
