import { Router } from 'express';
import { cliAuthorizeRoutes } from './cli-authorize.ts';
import { cliCodes } from './cli-codes.ts';
import { cliTokenRoutes } from './cli-token.ts';
import type { PortalParts } from './page-requests.ts';

/** Both ends of `cli login` that are here: where the person says yes, and where the client gets its token. */
export function cliRoutes(parts: PortalParts): Router {
  const codes = cliCodes(parts.db, parts.bus);
  const router = Router({ caseSensitive: true, strict: true });
  router.use(cliAuthorizeRoutes(parts, codes));
  router.use(cliTokenRoutes(parts, codes));
  return router;
}
