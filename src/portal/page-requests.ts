import type { Request, Response } from 'express';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { unauthorized } from '../kernel/errors.ts';
import { readForm } from './form.ts';
import type { Bus } from '../platform/bus/bus.ts';
import type { PortalSessions, Session } from './session.ts';

/** The parts that all pages share. */
export interface PortalParts {
  db: Knex;
  bus: Bus;
  log: Logger;
  sessions: PortalSessions;
  /** The origin by which the pages were reached, as browsers send it in `Origin`. */
  originOf(request: Request): string;
  /** The key that counts callers without a session. */
  networkOf(request: Request): string;
}

/** Redirects to a GET of `location`, which is a path of this service or a checked address. */
export const redirect = (response: Response, location: string): void =>
  void response.writeHead(303, { Location: location, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();

/** The session of a GET. Without one, it redirects to the sign-in, which returns here, and gives undefined. */
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
 * The session and the fields of a posted form. Without a session it does not redirect to the sign-in: the input would
 * be lost silently, and a page's policy stops a form whose redirects end at the provider.
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
