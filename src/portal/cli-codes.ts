import type { Knex } from 'knex';
import { auditService } from '../audit/service.ts';
import { DomainError } from '../kernel/errors.ts';
import { digestOf } from '../kernel/tokens.ts';
import { peopleService } from '../people/service.ts';
import type { Bus, Hint } from '../platform/bus/bus.ts';
import { retryOnConflict } from '../platform/db/retry-on-conflict.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import { tokenService } from '../tokens/service.ts';
import { isVerifierOf } from './cli-authorization-request.ts';
import { newSecret } from './cookies.ts';

/** Lifetime of a code, from the page to the waiting client. */
const codeSeconds = 60;

/** The consent of a person. */
interface Consent {
  personId: string;
  orgIds: readonly string[]; // orgs of which the person is a user; at least one
  challenge: string;
  redirectUri: string;
  label: string; // of the token
  tokenHours: number; // lifetime of the token
}

/** The request of a client to redeem a code. */
interface Proof {
  code: string;
  verifier: string;
  redirectUri: string;
  requestId: string | undefined; // for the audit log
}

interface CodeRow {
  person_id: string;
  org_ids: string[];
  challenge: string;
  redirect_uri: string;
  label: string | null;
  token_hours: number;
  token_id: string | null;
}

interface IssuedToken {
  value: string;
  orgId: string | undefined; // undefined for a token of several orgs
  expiresAt: Date | undefined;
}

/** A user removed between the read and the lock of the row counts as missing. */
function refusedIfRemoved(error: unknown): { issued?: IssuedToken; hints: Hint[] } {
  if (error instanceof DomainError && error.code === 'not_found') return { hints: [] };
  throw error;
}

/**
 * Codes with which a client gets the token that a person approved in the browser. The token itself never passes through
 * the browser.
 */
export function cliCodes(db: Knex, bus: Bus) {
  /**
   * The token, and the hints to announce. Every attempt consumes the code: after a wrong attempt another party knows
   * the code.
   */
  async function take(trx: Knex, { code, verifier, redirectUri, requestId }: Proof) {
    const digest = digestOf(code);
    const { rows } = await trx.raw<{ rows: CodeRow[] }>(
      `update sign_in_codes set used_at = now() where digest = ? and used_at is null and expires_at > now()
       returning person_id, org_ids, challenge, redirect_uri, label, token_hours, token_id`,
      [digest],
    );
    const [row] = rows;
    if (!row) return { hints: await revokeReused(trx, digest, requestId) };
    if (!isVerifierOf(verifier, row.challenge) || redirectUri !== row.redirect_uri) return { hints: [] };
    // The current memberships, not those at the time of consent.
    const memberships = await peopleService(trx).memberships(row.person_id);
    const chosen = memberships.filter(
      ({ orgId, orgStatus }) => row.org_ids.includes(orgId) && orgStatus === 'approved',
    );
    const [first] = chosen;
    if (!first) return { hints: [] };
    const options = { label: row.label ?? undefined, expiresInHours: row.token_hours };
    const { id, value } = await tokenService(trx).issueToPerson({ memberships: chosen, ...options });
    const { expiresAt } = await tokenService(trx).get(first.orgId, id);
    await trx('sign_in_codes').where({ digest }).update({ token_id: id });
    for (const { orgId, userId } of chosen)
      await auditService(trx).record(orgId, {
        actor: { kind: 'user', id: userId, tokenId: id },
        requestId,
        operation: 'signInClient',
        objectKind: 'token',
        objectId: id,
        after: { user_id: userId, label: options.label, expires_at: expiresAt?.toISOString() },
      });
    return { issued: { value, orgId: chosen.length === 1 ? first.orgId : undefined, expiresAt }, hints: [] };
  }

  /** A reused code was read by another party: its token is revoked, whichever party holds it (RFC 6749 §4.1.2). */
  async function revokeReused(trx: Knex, digest: Buffer, requestId: string | undefined): Promise<Hint[]> {
    const { rows } = await trx.raw<{ rows: { org_id: string; id: string; user_id: string }[] }>(
      `select t.org_id, t.id, t.user_id from sign_in_codes c join tokens t on t.id = c.token_id and t.org_id = any(c.org_ids)
        where c.digest = ? and t.revoked_at is null`,
      [digest],
    );
    for (const { org_id: orgId, id } of rows) {
      await tokenService(trx).revoke(orgId, id);
      await auditService(trx).record(orgId, {
        actor: { kind: 'system' },
        requestId,
        operation: 'revokeReusedSignIn',
        objectKind: 'token',
        objectId: id,
      });
    }
    return rows.map(({ org_id: orgId }) => ({ topic: 'access_changed', orgId }));
  }

  return {
    /** Returns the code, of 256 random bits, which is stored only as a digest. */
    async issue({ personId, orgIds, challenge, redirectUri, label, tokenHours }: Consent): Promise<string> {
      const code = newSecret();
      await db.raw(
        `insert into sign_in_codes (digest, person_id, org_ids, challenge, redirect_uri, label, token_hours, expires_at)
         values (?, ?, ?, ?, ?, ?, ?, now() + make_interval(secs => ${codeSeconds}))`,
        [digestOf(code), personId, [...orgIds], challenge, redirectUri, label, tokenHours],
      );
      return code;
    },

    /** Undefined for a code that is unknown, used, expired, or not the client's; the caller is not told which. */
    async redeem(proof: Proof): Promise<IssuedToken | undefined> {
      const { issued, hints } = await retryOnConflict(() =>
        inTransaction(db, async (trx) => {
          const taken: { issued?: IssuedToken; hints: Hint[] } = await take(trx, proof);
          return { result: taken, ...bus.announcing(trx, taken.hints) };
        }),
      ).catch(refusedIfRemoved);
      bus.deliver(hints);
      return issued;
    },
  };
}
