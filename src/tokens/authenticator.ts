import type { Knex } from 'knex';
import { orgSuspended } from '../kernel/errors.ts';
import { digestOf } from '../kernel/tokens.ts';
import { gather } from '../platform/db/gather.ts';
import type { grantCache } from './grants.ts';
import type { TokenGrant } from './model.ts';
import { tokenStore } from './store.ts';

/** Tokens that are looked up by one statement. */
const maxLookups = 500;

/** Finds out who bears an org, user or robot token. */
export function tokenAuthenticator(db: Knex, cache: ReturnType<typeof grantCache>) {
  // A replica that starts, or takes over from another one, is asked for thousands of tokens at once that it does not know yet.
  const find = gather<Buffer, readonly TokenGrant[]>(maxLookups, undefined, (digests) =>
    tokenStore(db).findGrants(digests),
  );
  /** One grant for each of the token's orgs, none for a token that is unknown, expired or revoked. @throws unauthorized if all its orgs are suspended */
  return async (value: string): Promise<readonly TokenGrant[]> => {
    const digest = digestOf(value);
    const grants = await cache(digest, () => find(digest));
    if (grants.length > 0 && grants.every(({ orgSuspended }) => orgSuspended)) throw orgSuspended();
    return grants;
  };
}
