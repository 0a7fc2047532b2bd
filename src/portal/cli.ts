import { Router } from 'express';
import { cliAuthorizeRoutes } from './cli-authorize.ts';
import { cliCodes } from './cli-codes.ts';
import { cliTokenRoutes } from './cli-token.ts';
import type { PortalParts } from './page-requests.ts';

/** Both parts of `cli login` in the service: the consent of the person, and the token for the client. */
export function cliRoutes(parts: PortalParts): Router {
  const codes = cliCodes(parts.db, parts.bus);
  const router = Router({ caseSensitive: true, strict: true });
  router.use(cliAuthorizeRoutes(parts, codes));
  router.use(cliTokenRoutes(parts, codes));
  return router;
}
