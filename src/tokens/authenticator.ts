import type { Knex } from 'knex';
import { orgSuspended } from '../kernel/errors.ts';
import { digestOf } from '../kernel/tokens.ts';
import type { Bus } from '../platform/bus/bus.ts';
import { batchCalls } from '../platform/db/batch-calls.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import type { grantCache } from './grants.ts';
import type { TokenGrant } from './model.ts';
import { rotationStore } from './rotation-store.ts';
import { tokenStore } from './store.ts';

/** Maximum tokens looked up by one statement. */
const maxLookups = 500;

/** Authenticates org, user and robot tokens. The first use of a new value ends or replaces the previous one. */
export function tokenAuthenticator(db: Knex, bus: Bus, cache: ReturnType<typeof grantCache>) {
  async function noteFirstUse(used: { orgId: string; tokenId: string; digest: Buffer }[]): Promise<void> {
    const hints = used.map(({ orgId }) => ({ topic: 'access_changed' as const, orgId }));
    await inTransaction(db, async (trx) => {
      await rotationStore(trx).noteFirstUse(used);
      return { result: undefined, ...bus.announcing(trx, hints) };
    });
    bus.deliver(hints);
  }

  // A replica that starts, or takes over from another, gets thousands of tokens at once that it has not cached yet.
  const find = batchCalls<Buffer, readonly TokenGrant[]>(maxLookups, undefined, async (digests) => {
    const found = await tokenStore(db).findGrants(digests);
    const used = found.flatMap(({ grants, isFirstUse }, index) =>
      isFirstUse ? grants.map(({ caller }) => ({ ...caller, digest: digests[index] as Buffer })) : [],
    );
    if (used.length > 0) await noteFirstUse(used);
    return found.map(({ grants }) => grants);
  });
  /**
   * One grant for each of the token's orgs; none for an unknown, expired or revoked token.
   * @throws unauthorized if all its orgs are suspended
   */
  return async (value: string): Promise<readonly TokenGrant[]> => {
    const digest = digestOf(value);
    const grants = await cache(digest, () => find(digest));
    if (grants.length > 0 && grants.every(({ orgSuspended }) => orgSuspended)) throw orgSuspended();
    return grants;
  };
}
