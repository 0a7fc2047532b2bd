import { timingSafeEqual } from 'node:crypto';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { digestOf } from '../kernel/tokens.ts';
import { badRequest, forbidden } from '../kernel/errors.ts';
import { HttpError } from '../platform/http/reply/failures.ts';
import type { Session } from './session.ts';

const parse: RequestHandler = express.urlencoded({ extended: false, limit: '16kb', parameterLimit: 100 });
const control = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]/;

/**
 * Whether a page of this service sent the request. A browser sends the origin of a form (`Origin`), or at least whether
 * it was the same (`Sec-Fetch-Site`). A request with neither is refused.
 */
function isSameOrigin({ headers }: Request, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  return headers.origin === undefined ? site !== undefined : headers.origin === ownOrigin;
}

/**
 * The fields of a form sent from a page of this service; with a session, it must contain its `csrfField`. A repeated
 * name is refused.
 * @throws forbidden for a form of another site or session, bad_request, or 413 and 415
 */
export async function readForm(
  request: Request,
  response: Response,
  { session, ownOrigin }: { session?: Session | undefined; ownOrigin: string },
): Promise<Partial<Record<string, string>>> {
  if (!isSameOrigin(request, ownOrigin)) throw forbidden('this form must be sent from a page of this service');
  await new Promise<void>((resolve, reject) =>
    parse(request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(error instanceof Error ? error : new Error('the form cannot be read')),
    ),
  );
  const fields = request.body as Record<string, unknown> | undefined;
  if (fields === undefined) throw new HttpError(415, 'Content-Type must be application/x-www-form-urlencoded');
  for (const [name, value] of Object.entries(fields))
    if (typeof value !== 'string' || control.test(value)) throw badRequest(`form: "${name}" is not one line of text`);
  const form = fields as Record<string, string>; // each value is checked above
  if (session && !timingSafeEqual(digestOf(form['csrf'] ?? ''), digestOf(session.csrf)))
    throw forbidden('this form belongs to another session; reload the page');
  return form;
}

/** A name typed by a person, trimmed. @throws bad_request if it is missing or too long */
export function readLine(form: Partial<Record<string, string>>, name: string, maxLength: number): string {
  const text = form[name]?.trim() ?? '';
  if (text === '' || text.length > maxLength || /\p{C}/u.test(text))
    throw badRequest(`"${name}" must be 1 to ${maxLength} characters on one line`);
  return text;
}
