import { Router, type NextFunction, type Request, type Response } from 'express';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Bus } from '../platform/bus/bus.ts';
import type { AdminAccess } from '../platform/http/access/admin-access.ts';
import type { Document } from '../platform/http/dispatch/contract.ts';
import { networkOf } from '../platform/http/listener/client-network.ts';
import { HttpError, toFailure } from '../platform/http/reply/failures.ts';
import { serveAsset } from '../docs-site/reference/docs-page.ts';
import type { UpgradeRoute } from '../platform/ws/upgrade.ts';
import { approvalRoutes } from './approvals.ts';
import { auditRoutes } from './audit.ts';
import { cliRoutes } from './cli.ts';
import { enrollmentKeyRoutes } from './enrollment-keys.ts';
import { fleetRoutes } from './fleet/routes.ts';
import { homeRoutes } from './home.ts';
import { localSignInRoutes } from './local-sign-in.ts';
import { orgRequestRoutes } from './org-request.ts';
import { html, sendPage } from './page.ts';
import { providerSignInRoutes } from './provider-sign-in.ts';
import { identityProvider, type ProviderSettings } from './provider.ts';
import { portalSessions } from './session.ts';
import { signOutRoutes } from './sign-out.ts';
import { portalStore } from './store.ts';
import { tokenRoutes } from './tokens.ts';
import { userRoutes } from './users.ts';
import { roleRoutes } from './roles.ts';
import type { PortalParts } from './page-requests.ts';

interface PortalSettings {
  db: Knex;
  bus: Bus;
  log: Logger;
  admin: AdminAccess;
  trustProxy: (address: string, hop: number) => boolean;
  assetsDir: string; // with portal.css
  provider: ProviderSettings | undefined; // undefined: sign-in by any address, if dev-open applies
  publicUrl: string | undefined;
  /** The address of this server on loopback. Called once the server listens. */
  ownUrl(): string;
  /** The contract and its streams, for the page of the roles. */
  document: Document;
  streams: readonly UpgradeRoute[];
}

/**
 * The pages for people: sign-in, and everything that a person does without a client. None needs JavaScript;
 * those of the fleet use it to stay up to date.
 */
export function createPortal(settings: PortalSettings): Router {
  const { db, bus, log, admin, trustProxy, assetsDir, ownUrl } = settings;
  // Without a provider, people use loopback, whatever the public address is.
  const publicUrl = settings.provider && settings.publicUrl;
  const secure = publicUrl?.startsWith('https:') ?? false;
  const publicOrigin = publicUrl && new URL(publicUrl).origin;
  const parts: PortalParts = {
    db,
    bus,
    log,
    sessions: portalSessions(db, { secure }),
    originOf: ({ headers }) => publicOrigin ?? `http://${headers.host ?? ''}`,
    networkOf: (request) => networkOf(request, trustProxy),
  };
  const base = () => publicUrl ?? ownUrl();
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/portal/style.css', serveAsset(assetsDir, 'portal.css'));
  router.get('/portal/live.js', serveAsset(assetsDir, 'live.js'));
  if (settings.provider) {
    const provider = identityProvider(settings.provider, { redirectUri: () => `${base()}/sign-in/callback`, log });
    router.use(providerSignInRoutes({ ...parts, provider, secure, base, oneName: publicUrl === undefined }));
  } else router.use(localSignInRoutes(parts, admin));
  router.use(signOutRoutes(parts));
  router.use(homeRoutes(parts));
  router.use(orgRequestRoutes(parts));
  router.use(tokenRoutes(parts));
  router.use(userRoutes(parts));
  router.use(enrollmentKeyRoutes(parts));
  router.use(auditRoutes(parts));
  router.use(approvalRoutes(parts));
  router.use(fleetRoutes(parts));
  router.use(cliRoutes(parts));
  router.use(roleRoutes(settings));
  router.use(failurePage(log));
  return router;
}

/** Deletes expired sessions and sign-ins. */
export const portalUpkeep = (db: Knex): Promise<void> => portalStore(db).dropExpired();

const headings: Record<number, string> = {
  401: 'You are signed out',
  403: 'Not allowed',
  404: 'Page not found',
  429: 'Too many attempts',
  503: 'Not available',
};

/** Renders an error of a portal route as a page. Express recognises an error handler by its four parameters. */
const failurePage = (log: Logger) => (error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (response.headersSent) return next(error);
  const { status, message, headers } = toFailure(isRefusal(error) ? new HttpError(error.status, error.message) : error);
  if (status >= 500) log.error({ err: error, status, requestId: response.getHeader('x-request-id') }, 'a page failed');
  const { 'Retry-After': retryAfter } = headers;
  sendPage(
    response,
    {
      title: headings[status] ?? (status < 500 ? 'The request failed' : 'The service failed'),
      body: html`<p class="reason">${message}.</p>
        <p><a href="/sign-in">Sign in</a>, or go to <a href="/portal">your page</a>.</p>`,
    },
    { status, headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter } },
  );
};

/** Errors with which Express and its middleware refuse a request. */
const isRefusal = (error: unknown): error is Error & { status: number } =>
  error instanceof Error &&
  !(error instanceof HttpError) &&
  'status' in error &&
  typeof error.status === 'number' &&
  error.status < 500;
