import type { Knex } from 'knex';

/** A person without activity for this long is signed out. */
const idleMinutes = 60;
/** Maximum lifetime of a session after the sign-in. */
const longestHours = 12;
/** Lifetime of a session value; then the next request gets a new one. */
const rotateMinutes = 60;
/** Requests in flight at the change still use the old value. */
const graceSeconds = 60;
/** Maximum delay of `seen_at`, so that not every page costs a write. */
const seenEverySeconds = 60;
/** Maximum time from the start of a sign-in to the return from the provider. */
const signInMinutes = 10;

/** A valid session. */
export interface SessionRow {
  personId: string;
  email: string;
  name: string | null;
  orgId: string | null;
  csrf: string;
  current: boolean; // found by its current value, not the previous one
  rotationDue: boolean;
  seenDue: boolean;
}

/** The state of a browser that is at the provider. */
export interface SignIn {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
}

export function portalStore(db: Knex) {
  return {
    async createSession(digest: Buffer, personId: string, csrf: string): Promise<void> {
      await db.raw(
        `insert into portal_sessions (digest, person_id, csrf, expires_at)
         values (?, ?, ?, now() + make_interval(hours => ${longestHours}))`,
        [digest, personId, csrf],
      );
    },

    async findSession(digest: Buffer): Promise<SessionRow | undefined> {
      const { rows } = await db.raw<{ rows: SessionRow[] }>(
        `select s.person_id as "personId", p.email, p.name, s.org_id as "orgId", s.csrf, s.digest = :digest as current,
                s.rotated_at < now() - make_interval(mins => ${rotateMinutes}) as "rotationDue",
                s.seen_at < now() - make_interval(secs => ${seenEverySeconds}) as "seenDue"
           from portal_sessions s join people p on p.id = s.person_id
          where (s.digest = :digest
                 or s.previous_digest = :digest and s.rotated_at > now() - make_interval(secs => ${graceSeconds}))
            and s.expires_at > now() and s.seen_at > now() - make_interval(mins => ${idleMinutes})`,
        { digest },
      );
      return rows[0];
    },

    /** Whether this call gave the session its new value. */
    async rotate(digest: Buffer, next: Buffer): Promise<boolean> {
      const { rowCount } = await db.raw<{ rowCount: number }>(
        `update portal_sessions set digest = ?, previous_digest = digest, rotated_at = now(), seen_at = now()
          where digest = ?`,
        [next, digest],
      );
      return rowCount === 1;
    },

    async noteSeen(digest: Buffer): Promise<void> {
      await db('portal_sessions').where({ digest }).update({ seen_at: db.fn.now() });
    },

    async chooseOrg(digest: Buffer, orgId: string): Promise<void> {
      await db('portal_sessions').where({ digest }).orWhere({ previous_digest: digest }).update({ org_id: orgId });
    },

    async endSession(digest: Buffer): Promise<void> {
      await db('portal_sessions').where({ digest }).orWhere({ previous_digest: digest }).delete();
    },

    async createSignIn(digest: Buffer, { state, nonce, verifier, returnTo }: SignIn): Promise<void> {
      await db.raw(
        `insert into sign_ins (digest, state, nonce, verifier, return_to, expires_at)
         values (?, ?, ?, ?, ?, now() + make_interval(mins => ${signInMinutes}))`,
        [digest, state, nonce, verifier, returnTo],
      );
    },

    /**
     * Consumes a sign-in, once. Undefined if it is unknown, already consumed or expired, or has another state: the
     * browser may have begun another sign-in since.
     */
    async takeSignIn(digest: Buffer, state: string): Promise<SignIn | undefined> {
      const { rows } = await db.raw<{ rows: SignIn[] }>(
        `delete from sign_ins where digest = ? and state = ? and expires_at > now()
         returning state, nonce, verifier, return_to as "returnTo"`,
        [digest, state],
      );
      return rows[0];
    },

    /** Deletes expired sessions and sign-ins. Codes stay an hour longer, so that a second use is detected. */
    async dropExpired(): Promise<void> {
      await db.raw(
        `delete from portal_sessions where expires_at < now() or seen_at < now() - make_interval(mins => ${idleMinutes})`,
      );
      await db('sign_ins').where('expires_at', '<', db.fn.now()).delete();
      await db('sign_in_codes').where('expires_at', '<', db.raw("now() - interval '1 hour'")).delete();
    },
  };
}
