import { Router, type Request, type Response } from 'express';
import { digestOf } from '../kernel/tokens.ts';
import { peopleService } from '../people/service.ts';
import { HttpError } from '../platform/http/reply/failures.ts';
import { rateLimiter } from '../platform/http/access/rate-limit.ts';
import { newSecret, secretCookie } from './cookies.ts';
import type { identityProvider } from './provider.ts';
import { readReturnTo } from './return-to.ts';
import { portalStore } from './store.ts';
import { redirect, type PortalParts } from './page-requests.ts';

/** Limit of sign-ins per address: each one is a row. */
const startsPerSecond = 1;
const startsAtOnce = 30;
const signInSeconds = 600;

interface ProviderRoutes extends PortalParts {
  provider: ReturnType<typeof identityProvider>;
  secure: boolean; // whether browsers use https
  /** The base address to which the provider returns browsers. */
  base(): string;
  /** Whether a request by another loopback name is redirected to `base`: a cookie is bound to one name. */
  oneName: boolean;
}

/** Sign-in through the provider. The state of a sign-in is valid once, and only in the browser that began it. */
export function providerSignInRoutes({
  db,
  sessions,
  networkOf,
  provider,
  secure,
  base,
  oneName,
}: ProviderRoutes): Router {
  const store = portalStore(db);
  const waiting = secretCookie('sign_in', { secure, maxAgeSeconds: signInSeconds });
  const starts = rateLimiter(startsPerSecond, startsAtOnce);
  const router = Router({ caseSensitive: true, strict: true });

  router.get('/sign-in', async (request: Request, response: Response) => {
    if (oneName && request.headers.host !== new URL(base()).host)
      return redirect(response, `${base()}${request.originalUrl}`);
    const { allowed, retryAfterSeconds } = starts(networkOf(request));
    if (!allowed)
      throw new HttpError(429, 'too many sign-ins were started from your address; wait a minute', {
        headers: { 'Retry-After': String(retryAfterSeconds) },
      });
    const { url, ...checks } = await provider.begin();
    const value = newSecret();
    await store.createSignIn(digestOf(value), { ...checks, returnTo: readReturnTo(request.query['return_to']) });
    waiting.set(response, value);
    redirect(response, url);
  });

  router.get('/sign-in/callback', async (request: Request, response: Response) => {
    const value = waiting.read(request);
    const { state } = request.query;
    // Checked before any request to the provider: a wrong state belongs to another sign-in, such as that of another tab.
    const signIn =
      value !== undefined && typeof state === 'string' ? await store.takeSignIn(digestOf(value), state) : undefined;
    if (!signIn) throw new HttpError(400, 'this sign-in has ended, or was started in another browser; start again');
    waiting.clear(response);
    const search = request.originalUrl.slice(request.originalUrl.indexOf('?'));
    const identity = await provider.finish(search, signIn);
    const person = await peopleService(db).signIn(identity, String(response.getHeader('x-request-id')));
    await sessions.begin(person.id, request, response);
    redirect(response, signIn.returnTo);
  });

  return router;
}
