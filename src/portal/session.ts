import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Knex } from 'knex';
import { digestOf } from '../kernel/tokens.ts';
import { newSecret, secretCookie } from './cookies.ts';
import { portalStore, type SessionRow } from './store.ts';

/** The user of a browser. */
export interface Session {
  personId: string;
  email: string;
  name: string | undefined;
  orgId: string | undefined; // the last chosen org; the reader must check that the person still belongs to it
  csrf: string; // the value in every form of this session (`csrfField`)
}

export type PortalSessions = ReturnType<typeof portalSessions>;

/** Sessions in the database, by the digest of a cookie. `secure`: whether browsers use https. */
export function portalSessions(db: Knex, { secure }: { secure: boolean }) {
  const store = portalStore(db);
  const cookie = secretCookie('session', { secure });

  return {
    /** The session of a request. Its value changes each hour: the response then sets the new cookie. */
    async read(request: IncomingMessage, response: ServerResponse): Promise<Session | undefined> {
      const value = cookie.read(request);
      if (value === undefined) return undefined;
      const digest = digestOf(value);
      const found = await store.findSession(digest);
      if (!found) return undefined;
      if (found.current && found.rotationDue) {
        const next = newSecret();
        // Of concurrent requests, one changes the value; the others are still served with the old value.
        if (await store.rotate(digest, digestOf(next))) cookie.set(response, next);
      } else if (found.seenDue) await store.noteSeen(digest);
      return toSession(found);
    },

    /** The session of a request that a page sends by itself: it neither prolongs the session nor changes its value. */
    async peek(request: IncomingMessage): Promise<Session | undefined> {
      const value = cookie.read(request);
      const found = value === undefined ? undefined : await store.findSession(digestOf(value));
      return found && toSession(found);
    },

    /** Begins a session with a new secret value; the browser's previous session ends. */
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

const toSession = ({ personId, email, name, orgId, csrf }: SessionRow): Session => ({
  personId,
  email,
  name: name ?? undefined,
  orgId: orgId ?? undefined,
  csrf,
});
