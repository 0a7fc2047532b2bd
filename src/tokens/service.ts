import type { Knex } from 'knex';
import type { Caller } from '../kernel/caller.ts';
import { notFound } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { mintToken } from '../kernel/tokens.ts';
import { userService } from '../users/service.ts';
import type { Owner, PersonToken, Token, TokenGrant } from './model.ts';
import { tokenRotation } from './rotation.ts';
import { tokenStore } from './store.ts';

export { accessWatch, type Watched } from './access-watch.ts';
export { createTokenUse } from './use.ts';

export type PersonOrProgram = Extract<Caller, { kind: 'user' | 'org' }>;
export type TokenService = ReturnType<typeof tokenService>;

export function tokenService(db: Knex) {
  const tokens = tokenStore(db);

  /** @throws not_found */
  async function get(orgId: string, id: string): Promise<Token> {
    const token = await tokens.find(orgId, id);
    if (!token) throw notFound('token');
    return token;
  }

  /** Creates a token; `value` is returned only here and never stored. */
  async function issue(
    orgId: string,
    owner: Owner,
    options?: Parameters<typeof tokens.create>[3],
  ): Promise<{ token: Token; value: string }> {
    const { value, ...facts } = mintToken(owner.kind);
    return { token: await tokens.create(orgId, facts, owner, options), value };
  }

  return {
    issue,
    list: tokens.list,
    revokeOfRobot: tokens.revokeOfRobot,

    /** The robot of this org whose valid token has this digest. */
    async robotOf(orgId: string, digest: Buffer): Promise<string | undefined> {
      const [found] = await tokens.findGrants([digest]);
      const caller = found?.grants.find((grant) => grant.caller.orgId === orgId)?.caller;
      return caller?.kind === 'robot' ? caller.robotId : undefined;
    },

    hasOrgToken: tokens.hasOrgToken,
    findBad: tokens.findBad,
    orgsOf: tokens.orgsOf,
    rotation: tokenRotation(db),

    /** The current caller of the token; undefined if the token is not valid any more. */
    async callerOf(orgId: string, id: string): Promise<TokenGrant['caller'] | undefined> {
      const grant = await tokens.findGrant(orgId, id);
      return grant?.orgSuspended === false ? grant.caller : undefined;
    },

    /** 0 or undefined hours: never expires. @throws not_found if the org has no such user */
    async issueToUser(
      orgId: string,
      userId: string,
      { label, expiresInHours }: { label?: string | undefined; expiresInHours?: number | undefined },
    ) {
      // Locked, so that a user who is being removed concurrently gets no token.
      const user = await userService(db).get(orgId, userId, { lock: true });
      return issue(orgId, { kind: 'user', userId: user.id }, { label, expiresInHours: expiresInHours || undefined });
    },

    /**
     * One token valid in each of these orgs, with the person's rights as a user there; requests with it name the org. 0
     * or undefined hours: never expires. Needs a transaction.
     * @throws not_found if an org has no such user
     */
    async issueToPerson({ memberships, label, expiresInHours }: PersonToken): Promise<{ id: string; value: string }> {
      const [id, { value, ...facts }] = [newId(), mintToken('user')];
      for (const { orgId, userId } of memberships) {
        const user = await userService(db).get(orgId, userId, { lock: true });
        const owner = { kind: 'user', userId: user.id } as const;
        await tokens.create(orgId, facts, owner, { id, label, expiresInHours: expiresInHours || undefined });
      }
      return { id, value };
    },

    get,

    /** For people: the name or email address of a user, or which org token it is. */
    async nameOf(caller: PersonOrProgram): Promise<string> {
      if (caller.kind === 'org') return `an org token ending in ${(await get(caller.orgId, caller.tokenId)).lastFour}`;
      const { name, email } = await userService(db).get(caller.orgId, caller.userId);
      return name ?? email;
    },

    /** Revokes the token from the next request on; idempotent. @throws not_found */
    async revoke(orgId: string, id: string): Promise<Token> {
      const token = await tokens.revoke(orgId, id);
      if (!token) throw notFound('token');
      return token;
    },
  };
}
