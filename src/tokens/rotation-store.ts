import type { Knex } from 'knex';
import type { TokenFacts } from '../kernel/tokens.ts';
import { columns, fromRow, type Row } from './columns.ts';
import type { Token } from './model.ts';

interface RotationRow extends Row {
  rotation_nonce: Buffer | null;
  rotation_salt: Buffer | null;
  unused_nonce: Buffer | null;
  unused_salt: Buffer | null;
  has_previous: boolean;
  has_unused: boolean;
}

/** The inputs of a token value. */
interface ValueSource {
  nonceDigest: Buffer;
  salt: Buffer;
}

interface RotationState {
  token: Token;
  values: readonly ValueSource[]; // for the present value, and the unused one issued before it
  hasPrevious: boolean; // the previous value is still valid: the present one is unused
}

export function rotationStore(db: Knex) {
  return {
    /** Undefined if the robot has no valid token. */
    async want(orgId: string, robotId: string): Promise<Token | undefined> {
      const [row] = await db<Row>('tokens')
        .where({ org_id: orgId, robot_id: robotId, revoked_at: null })
        .update({ rotation_wanted_at: db.raw('coalesce(rotation_wanted_at, now())') })
        .returning(columns);
      return row && fromRow(row);
    },

    /** Locks a valid robot token until the transaction ends. */
    async lock(orgId: string, id: string): Promise<RotationState | undefined> {
      const { rows } = await db.raw<{ rows: RotationRow[] }>(
        `select *, coalesce(previous_until > now(), false) as has_previous, coalesce(unused_until > now(), false) as has_unused from tokens
          where org_id = ? and id = ? and kind = 'robot' and revoked_at is null for update`,
        [orgId, id],
      );
      const [row] = rows;
      if (!row) return undefined;
      return {
        token: fromRow(row),
        values: [
          ...sourceOf(row.rotation_nonce, row.rotation_salt),
          ...(row.has_unused ? sourceOf(row.unused_nonce, row.unused_salt) : []),
        ],
        hasPrevious: row.has_previous,
      };
    },

    /** Replaces the present value. The old one becomes the previous value or, with `keepsPrevious`, the unused one. */
    async replace(
      orgId: string,
      id: string,
      rotation: { facts: TokenFacts; nonceDigest: Buffer; salt: Buffer; keepsPrevious: boolean; overlapHours: number },
    ): Promise<Token> {
      const overlapEnd = db.raw('now() + make_interval(hours => ?)', [rotation.overlapHours]);
      const [row] = await db<Row>('tokens')
        .where({ org_id: orgId, id })
        .update({
          ...(rotation.keepsPrevious
            ? {
                unused_digest: db.ref('digest'),
                unused_until: overlapEnd,
                unused_nonce: db.ref('rotation_nonce'),
                unused_salt: db.ref('rotation_salt'),
              }
            : { previous_digest: db.ref('digest'), ...noUnused }),
          previous_until: overlapEnd,
          digest: rotation.facts.digest,
          last_four: rotation.facts.lastFour,
          rotation_nonce: rotation.nonceDigest,
          rotation_salt: rotation.salt,
        } as object)
        .returning(columns);
      return fromRow(row as Row); // its row is locked, so it exists
    },

    /**
     * Records the first use of values, for tokens of any orgs. A present value ends all others. An unused value
     * replaces the previous one: its agent uses it now, and the next rotation must not end it. Its nonce stays, and a
     * retry with it returns the same value.
     */
    async noteFirstUse(used: readonly { orgId: string; tokenId: string; digest: Buffer }[]): Promise<void> {
      const bindings = [
        used.map(({ orgId }) => orgId),
        used.map(({ tokenId }) => tokenId),
        used.map(({ digest }) => digest),
      ];
      const isUsed = `from unnest(?::uuid[], ?::uuid[], ?::bytea[]) as used (org_id, id, digest)
          where t.org_id = used.org_id and t.id = used.id`;
      await db.raw(
        `update tokens t set previous_digest = null, previous_until = null, rotation_wanted_at = null,
                unused_digest = null, unused_until = null, unused_nonce = null, unused_salt = null
           ${isUsed} and t.digest = used.digest`,
        bindings,
      );
      await db.raw(
        `update tokens t set previous_digest = unused_digest, previous_until = unused_until
           ${isUsed} and t.unused_digest = used.digest`,
        bindings,
      );
    },
  };
}

const noUnused = { unused_digest: null, unused_until: null, unused_nonce: null, unused_salt: null };

const sourceOf = (nonceDigest: Buffer | null, salt: Buffer | null): ValueSource[] =>
  nonceDigest && salt ? [{ nonceDigest, salt }] : [];
