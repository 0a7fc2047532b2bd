import type { Knex } from 'knex';
import { orgSuspended } from '../kernel/errors.ts';
import { digestOf } from '../kernel/tokens.ts';
import { gather } from '../platform/db/gather.ts';
import type { grantCache } from './grants.ts';
import type { Grant } from './model.ts';
import { tokenStore } from './store.ts';

/** Tokens that are looked up by one statement. */
const maxLookups = 500;

/** Finds out who bears an org, user or robot token. */
export function tokenAuthenticator(db: Knex, cache: ReturnType<typeof grantCache>) {
  // A replica that starts, or takes over from another one, is asked for thousands of tokens at once that it does not know yet.
  const find = gather<Buffer, Grant | undefined>(maxLookups, undefined, (digests) =>
    tokenStore(db).findGrants(digests),
  );
  /** Undefined for a token that is unknown, expired or revoked. @throws unauthorized for a good one of an org that is not approved */
  return async (value: string): Promise<Grant['caller'] | undefined> => {
    const digest = digestOf(value);
    const grant = await cache(digest, () => find(digest));
    if (grant?.orgSuspended) throw orgSuspended();
    return grant?.caller;
  };
}
