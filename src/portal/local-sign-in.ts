import { Router } from 'express';
import { badRequest } from '../kernel/errors.ts';
import { peopleService, readEmail } from '../people/service.ts';
import type { AdminAccess } from '../platform/http/access/admin-access.ts';
import { HttpError } from '../platform/http/reply/failures.ts';
import { readForm } from './form.ts';
import { html, sendPage } from './page.ts';
import { readReturnTo } from './return-to.ts';
import { redirect, type PortalParts } from './page-requests.ts';

/** No provider has this issuer: theirs are URLs. */
const localIssuer = 'local';

const notSetUp = () => new HttpError(404, 'sign-in is not available: no identity provider is configured');

const form = (returnTo: string) =>
  html` <p class="warning" role="note">
      <strong>For development only.</strong> No identity provider is configured, so this page accepts any email address.
      It works only on this machine.
    </p>
    <form method="post" action="/sign-in" class="stacked">
      <label for="email">Email address</label>
      <input id="email" name="email" type="email" required maxlength="254" autocomplete="email" spellcheck="false" />
      <input type="hidden" name="return_to" value="${returnTo}" />
      <button type="submit">Sign in</button>
    </form>`;

/** Sign-in by an unverified address, only if dev-open applies to the caller; otherwise the page does not exist. */
export function localSignInRoutes(parts: PortalParts, admin: Pick<AdminAccess, 'isHere'>): Router {
  const router = Router({ caseSensitive: true, strict: true });

  router.get('/sign-in', (request, response) => {
    if (!admin.isHere(request)) throw notSetUp();
    sendPage(response, { title: 'Sign in', body: form(readReturnTo(request.query['return_to'])) });
  });

  router.post('/sign-in', async (request, response) => {
    if (!admin.isHere(request)) throw notSetUp();
    const fields = await readForm(request, response, { ownOrigin: parts.originOf(request) });
    const email = readEmail(fields['email']);
    if (email === undefined) throw badRequest('the email address is invalid');
    const identity = { issuer: localIssuer, subject: email, email, emailVerified: true, name: undefined };
    const person = await peopleService(parts.db).signIn(identity, String(response.getHeader('x-request-id')));
    await parts.sessions.begin(person.id, request, response);
    redirect(response, readReturnTo(fields['return_to']));
  });

  return router;
}
