import type { Knex } from 'knex';

/** Whoever does nothing for so long is signed out. */
const idleMinutes = 60;
/** And everybody this long after the sign-in. */
const longestHours = 12;
/** A value is good for this long; then the next request gets another one. */
const rotateMinutes = 60;
/** Requests that were on their way when it changed still bring the old one. */
const graceSeconds = 60;
/** How late `seen_at` may be: a page does not cost a write. */
const seenEverySeconds = 60;
/** From the start of a sign-in to the return from the provider. */
const signInMinutes = 10;

/** A session that is good now. */
interface SessionRow {
  personId: string;
  email: string;
  name: string | null;
  orgId: string | null;
  csrf: string;
  current: boolean; // found by its present value
  rotationDue: boolean;
  seenDue: boolean;
}

/** What a browser takes with it to the provider. */
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

    /** Whether it was this call that gave the session its new value. */
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

    /** Takes it, once. Undefined for one that is unknown, taken or too old. */
    async takeSignIn(digest: Buffer): Promise<SignIn | undefined> {
      const { rows } = await db.raw<{ rows: SignIn[] }>(
        `delete from sign_ins where digest = ? and expires_at > now()
         returning state, nonce, verifier, return_to as "returnTo"`,
        [digest],
      );
      return rows[0];
    },

    /** Forgets sessions and sign-ins that are over. Codes stay an hour longer, so that one that comes again is noticed. */
    async dropExpired(): Promise<void> {
      await db.raw(
        `delete from portal_sessions where expires_at < now() or seen_at < now() - make_interval(mins => ${idleMinutes})`,
      );
      await db('sign_ins').where('expires_at', '<', db.fn.now()).delete();
      await db('sign_in_codes').where('expires_at', '<', db.raw("now() - interval '1 hour'")).delete();
    },
  };
}
