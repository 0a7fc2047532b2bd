import { Router } from 'express';
import { html, sendPage } from './page.ts';
import { postedForm, redirect, type PortalParts } from './page-requests.ts';

/** Ends the session of this service. The provider's own session remains: the next sign-in may ask for nothing. */
export function signOutRoutes(parts: PortalParts): Router {
  const router = Router({ caseSensitive: true, strict: true });

  router.post('/sign-out', async (request, response) => {
    await postedForm(parts, request, response);
    await parts.sessions.end(request, response);
    redirect(response, '/sign-out');
  });

  // A page that needs no session: a redirect to the sign-in could sign in again at once.
  router.get('/sign-out', (_request, response) => {
    sendPage(response, { title: 'You are signed out', body: html`<p><a href="/sign-in">Sign in again</a></p>` });
  });

  return router;
}
