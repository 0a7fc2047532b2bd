import type { Knex } from 'knex';
import type { Logger } from 'pino';
import asyncapi from '../generated/asyncapi.json' with { type: 'json' };
import contract from '../generated/openapi.json' with { type: 'json' };
import contract30 from '../generated/openapi-3.0.json' with { type: 'json' };
import type { Config } from './config.ts';
import { createPages } from './docs-site/pages.ts';
import type { Bus } from './platform/bus/bus.ts';
import type { AdminAccess } from './platform/http/access/admin-access.ts';
import type { Document } from './platform/http/dispatch/contract.ts';
import type { UpgradeRoute } from './platform/ws/upgrade.ts';
import { createPortal } from './portal/portal.ts';

interface PagesSettings {
  config: Config;
  db: Knex;
  bus: Bus;
  log: Logger;
  admin: AdminAccess;
  assetsDir: string;
  docsDir: string;
  streams: readonly UpgradeRoute[];
  port: () => number; // of the listener, once it listens
}

/** Builds all that a browser is served: the documents, /docs and the portal. */
export function allPages({ config, db, bus, log, admin, assetsDir, docsDir, streams, port }: PagesSettings) {
  const { publicUrl, trustProxy, oidc: provider } = config;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const portal = createPortal({
    db,
    bus,
    log,
    admin,
    trustProxy,
    assetsDir,
    provider,
    publicUrl,
    streams,
    ownUrl: () => `http://${host}:${port()}`,
    document: contract as unknown as Document,
  });
  return createPages({ contract, contract30, asyncapi, publicUrl, assetsDir, docsDir, portal });
}
