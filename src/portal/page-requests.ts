import type { Request, Response } from 'express';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { unauthorized } from '../kernel/errors.ts';
import { readForm } from './form.ts';
import type { Bus } from '../platform/bus/bus.ts';
import type { PortalSessions, Session } from './session.ts';

/** What the pages are made of. */
export interface PortalParts {
  db: Knex;
  bus: Bus;
  log: Logger;
  sessions: PortalSessions;
  /** By which origin the pages were reached, as browsers name it in `Origin`. */
  originOf(request: Request): string;
  /** By whom callers without a session are counted. */
  networkOf(request: Request): string;
}

/** Answers "look there", by GET. `location` is a path of ours or an address that was checked. */
export const redirect = (response: Response, location: string): void =>
  void response.writeHead(303, { Location: location, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();

/** The session of a GET. Without one it answers itself, by the way to the sign-in and back here, and gives undefined. */
export async function sessionOrSignIn(
  { sessions }: PortalParts,
  request: Request,
  response: Response,
): Promise<Session | undefined> {
  const session = await sessions.read(request, response);
  if (!session) redirect(response, `/sign-in?return_to=${encodeURIComponent(request.originalUrl)}`);
  return session;
}

/**
 * The session and the fields of a form that was posted. Without a session it is no redirect to the sign-in: what was typed would be lost without
 * a word, and a page's policy stops a form that ends at the provider.
 * @throws unauthorized without a session, and as `readForm`
 */
export async function postedForm(
  { sessions, originOf }: PortalParts,
  request: Request,
  response: Response,
): Promise<{ session: Session; form: Partial<Record<string, string>> }> {
  const session = await sessions.read(request, response);
  if (!session) throw unauthorized('you are signed out; sign in and try again');
  return { session, form: await readForm(request, response, { session, ownOrigin: originOf(request) }) };
}
