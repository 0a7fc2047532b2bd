import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Knex } from 'knex';
import { digestOf } from '../kernel/tokens.ts';
import { newSecret, secretCookie } from './cookies.ts';
import { portalStore } from './store.ts';

/** Who uses a browser. */
export interface Session {
  personId: string;
  email: string;
  name: string | undefined;
  orgId: string | undefined; // that was chosen last; whether it is still one of the person's is for its reader to ask
  csrf: string; // what a form of this session carries (`csrfField`)
}

export type PortalSessions = ReturnType<typeof portalSessions>;

/** Sessions in the database, by the digest of a cookie. `secure`: whether browsers come by https. */
export function portalSessions(db: Knex, { secure }: { secure: boolean }) {
  const store = portalStore(db);
  const cookie = secretCookie('session', { secure });

  return {
    /** Whose session a request brings. Its value changes each hour: the answer brings the browser the next one. */
    async read(request: IncomingMessage, response: ServerResponse): Promise<Session | undefined> {
      const value = cookie.read(request);
      if (value === undefined) return undefined;
      const digest = digestOf(value);
      const found = await store.findSession(digest);
      if (!found) return undefined;
      if (found.current && found.rotationDue) {
        const next = newSecret();
        // Of requests that come together one changes it; the others are answered by the old value.
        if (await store.rotate(digest, digestOf(next))) cookie.set(response, next);
      } else if (found.seenDue) await store.noteSeen(digest);
      const { personId, email, name, orgId, csrf } = found;
      return { personId, email, name: name ?? undefined, orgId: orgId ?? undefined, csrf };
    },

    /** Begins a session, with a value that nobody could know before; the one that the browser had ends. */
    async begin(personId: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
      const former = cookie.read(request);
      if (former !== undefined) await store.endSession(digestOf(former));
      const value = newSecret();
      await store.createSession(digestOf(value), personId, newSecret());
      cookie.set(response, value);
    },

    async chooseOrg(request: IncomingMessage, orgId: string): Promise<void> {
      const value = cookie.read(request);
      if (value !== undefined) await store.chooseOrg(digestOf(value), orgId);
    },

    async end(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const value = cookie.read(request);
      if (value !== undefined) await store.endSession(digestOf(value));
      cookie.clear(response);
    },
  };
}
