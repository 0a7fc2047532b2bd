import type { Knex } from 'knex';
import { roles, type Role } from '../kernel/caller.ts';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import type { TokenFacts } from '../kernel/tokens.ts';
import { plainArray } from '../platform/db/arrays.ts';
import { insertRow } from '../platform/db/insert.ts';
import { noRows, type JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import { columns, fromRow, type Column, type Row } from './columns.ts';
import type { AccessLoss, Owner, Token, TokenFilter, TokenGrant, TokenOrg, TokenState } from './model.ts';

interface GrantRow {
  digest: Buffer;
  previous_digest: Buffer | null;
  previous_until: Date | null;
  previous_good: boolean | null; // by the database clock
  unused_digest: Buffer | null;
  unused_until: Date | null;
  unused_good: boolean | null;
  org_id: string;
  id: string;
  kind: Token['kind'];
  user_id: string;
  robot_id: string;
  role: Role;
  expires_at: Date | null;
  org_status: string;
}

const goodGrants = `
  select t.digest, t.previous_digest, t.previous_until, t.previous_until > now() as previous_good,
         t.unused_digest, t.unused_until, t.unused_until > now() as unused_good, t.org_id, t.id, t.kind, t.user_id, t.robot_id, u.role, t.expires_at, o.status as org_status
    from tokens t
    join orgs o on o.id = t.org_id
    left join users u on u.org_id = t.org_id and u.id = t.user_id
   where t.revoked_at is null and (t.expires_at is null or t.expires_at > now())`;

const states: Record<TokenState, string> = {
  good: 'revoked_at is null and (expires_at is null or expires_at > now())',
  ended: '(revoked_at is not null or expires_at <= now())',
};

/** The result of a lookup by digest. */
interface Found {
  grants: readonly TokenGrant[];
  isFirstUse: boolean;
}

/** Sorts the orgs of one token by creation. */
const inOrder = 'order by o.created_at, o.id';

export function tokenStore(db: Knex) {
  return {
    /**
     * `expiresInHours` is counted by the database clock; undefined: never. `id`: of the same token in another org;
     * default: a new one.
     */
    async create(
      orgId: string,
      facts: TokenFacts,
      owner: Owner,
      {
        label,
        expiresInHours,
        id = newId(),
      }: { label?: string | undefined; expiresInHours?: number | undefined; id?: string } = {},
    ): Promise<Token> {
      const row = {
        org_id: orgId,
        id,
        kind: owner.kind,
        digest: facts.digest,
        last_four: facts.lastFour,
        user_id: owner.kind === 'user' ? owner.userId : undefined,
        robot_id: owner.kind === 'robot' ? owner.robotId : undefined,
        label,
        expires_at:
          expiresInHours === undefined ? undefined : db.raw('now() + make_interval(hours => ?)', [expiresInHours]),
      };
      const { rows } = await insertRow<Row>(db, 'tokens', row, { returning: columns });
      return fromRow(rows[0] as Row); // an insert without conflict returns its row
    },

    /**
     * The only lookup without an org, as it finds the orgs. Results in the order of the digests; no grants for a token
     * that is not valid now. `isFirstUse`: the first use of a new value, which ends or replaces the previous value.
     */
    async findGrants(digests: Buffer[]): Promise<Found[]> {
      const { rows } = await db.raw<{ rows: GrantRow[] }>(
        `${goodGrants} and (t.digest = any(?::bytea[]) or (t.previous_digest = any(?::bytea[]) and t.previous_until > now())
                        or (t.unused_digest = any(?::bytea[]) and t.unused_until > now())) ${inOrder}`,
        [digests, digests, digests],
      );
      const byDigest = new Map<string, GrantRow[]>();
      for (const row of rows)
        for (const digest of [
          row.digest,
          row.previous_good ? row.previous_digest : null,
          // Once used, it is the previous value.
          row.unused_good && row.unused_digest && !isPrevious(row, row.unused_digest) ? row.unused_digest : null,
        ]) {
          const key = digest?.toString('latin1');
          if (key !== undefined) byDigest.set(key, [...(byDigest.get(key) ?? []), row]);
        }
      return digests.map((digest) => {
        const found = byDigest.get(digest.toString('latin1')) ?? [];
        const isPresent = (row: GrantRow) => row.digest.equals(digest);
        return {
          grants: found.map((row) => toGrant(row, isPresent(row) ? null : untilOf(row, digest))),
          isFirstUse: found.some((row) =>
            isPresent(row)
              ? row.previous_digest !== null
              : row.unused_digest?.equals(digest) && !isPrevious(row, digest),
          ),
        };
      });
    },

    /** The orgs in which a token of this org is valid, including this one. */
    async orgsOf(orgId: string, id: string): Promise<TokenOrg[]> {
      const { rows } = await db.raw<{ rows: TokenOrg[] }>(
        `select o.id, o.name, coalesce(u.role, 'admin') as role, o.status <> 'approved' as suspended
           from tokens own
           join tokens t on t.digest = own.digest
           join orgs o on o.id = t.org_id
           left join users u on u.org_id = t.org_id and u.id = t.user_id
          where own.org_id = ? and own.id = ? and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
          ${inOrder}`,
        [orgId, id],
      );
      return rows;
    },

    /** The grant of a token by its id; undefined if it is not valid now. */
    async findGrant(orgId: string, id: string): Promise<TokenGrant | undefined> {
      const { rows } = await db.raw<{ rows: GrantRow[] }>(`${goodGrants} and t.org_id = ? and t.id = ?`, [orgId, id]);
      return rows[0] && toGrant(rows[0]);
    },

    async list(orgId: string, { kind, userId, robotId, state }: TokenFilter, page: Page): Promise<JsonRows<Column>> {
      if ([userId, robotId].some((id) => id !== undefined && !isId(id))) return noRows;
      const filter = { org_id: orgId, kind, user_id: userId, robot_id: robotId };
      return readPage(db, { table: 'tokens', columns, ...(state && { only: states[state] }) }, filter, page);
    },

    async find(orgId: string, id: string): Promise<Token | undefined> {
      if (!isId(id)) return undefined;
      const row = await db<Row>('tokens').select(columns).where({ org_id: orgId, id }).first();
      return row && fromRow(row);
    },

    /** Repeated calls keep the first revocation time. Undefined if the org has no such token. */
    async revoke(orgId: string, id: string): Promise<Token | undefined> {
      if (!isId(id)) return undefined;
      const [row] = await db<Row>('tokens')
        .where({ org_id: orgId, id })
        .update({ revoked_at: db.raw('coalesce(revoked_at, now())') })
        .returning(columns);
      return row && fromRow(row);
    },

    /** Whether the org has an unrevoked org token; org tokens do not expire. */
    async hasOrgToken(orgId: string): Promise<boolean> {
      return (
        (await db<Row>('tokens').select('id').where({ org_id: orgId, kind: 'org' }).whereNull('revoked_at').first()) !==
        undefined
      );
    },

    /**
     * Indexes of the tokens that are no longer valid or whose role is too low (`lost`), and of those whose org is
     * suspended (`suspended`). For any orgs, as it checks open sockets.
     */
    async findBad(
      asked: readonly { orgId: string; tokenId: string; leastRole?: Role }[],
    ): Promise<Map<number, AccessLoss>> {
      const { rows } = await db.raw<{ rows: { place: number; status: string | null }[] }>(
        `select asked.n::int - 1 as place, held.status
           from unnest(?::uuid[], ?::uuid[], ?::int[]) with ordinality as asked (org_id, id, rank, n)
           left join lateral (
             select o.status from tokens t join orgs o on o.id = t.org_id left join users u on u.org_id = t.org_id and u.id = t.user_id
              where t.org_id = asked.org_id and t.id = asked.id and t.revoked_at is null
                and (t.expires_at is null or t.expires_at > now())
                and (t.kind <> 'user' or array_position(?::text[], u.role) > asked.rank)) as held on true
          where held.status is distinct from 'approved'`,
        [
          plainArray(asked.map(({ orgId }) => orgId)),
          plainArray(asked.map(({ tokenId }) => tokenId)),
          plainArray(asked.map(({ leastRole }) => (leastRole === undefined ? 0 : roles.indexOf(leastRole)))),
          plainArray(roles),
        ],
      );
      return new Map(rows.map(({ place, status }) => [place, status === null ? 'lost' : 'suspended']));
    },

    /** Records that tokens of any orgs were used in this minute, whatever a wrong clock recorded. A row locked by another writer is skipped. */
    async markUsed(used: readonly { orgId: string; tokenId: string }[]): Promise<void> {
      await db.raw(
        `with due as (
           select t.org_id, t.id from unnest(?::uuid[], ?::uuid[]) as used (org_id, id)
             join tokens t on t.org_id = used.org_id and t.id = used.id
            where t.last_used_at is distinct from date_trunc('minute', now())
              for no key update of t skip locked)
         update tokens t set last_used_at = date_trunc('minute', now()) from due where t.org_id = due.org_id and t.id = due.id`,
        [plainArray(used.map(({ orgId }) => orgId)), plainArray(used.map(({ tokenId }) => tokenId))],
      );
    },

    async revokeOfRobot(orgId: string, robotId: string): Promise<void> {
      await db('tokens')
        .where({ org_id: orgId, robot_id: robotId, revoked_at: null })
        .update({ revoked_at: db.fn.now() });
    },
  };
}

const isPrevious = (row: GrantRow, digest: Buffer): boolean => row.previous_digest?.equals(digest) === true;

const untilOf = (row: GrantRow, digest: Buffer): Date | null =>
  row.unused_digest?.equals(digest) ? row.unused_until : row.previous_until;

/** `until`: expiry of this value, if it is before that of the token. */
function toGrant(row: GrantRow, until: Date | null = null): TokenGrant {
  const common = { orgId: row.org_id, tokenId: row.id };
  const caller: TokenGrant['caller'] =
    row.kind === 'org'
      ? { kind: 'org', ...common, role: 'admin' }
      : row.kind === 'user'
        ? { kind: 'user', ...common, userId: row.user_id, role: row.role }
        : { kind: 'robot', ...common, robotId: row.robot_id };
  const ends = [row.expires_at, until].filter((end) => end !== null).map(Number);
  return {
    caller,
    expiresAt: ends.length > 0 ? new Date(Math.min(...ends)) : undefined,
    orgSuspended: row.org_status !== 'approved',
  };
}
