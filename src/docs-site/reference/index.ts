import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express from 'express';
import schemas from '../../../generated/schemas.json' with { type: 'json' };
import { html } from '../../platform/http/html.ts';
import { changelogPage, type ChangelogVersion } from './changelog.ts';
import { docsDocument, serveAsset, serveDocument } from './docs-page.ts';
import { guidePages } from './guides.ts';
import { streamsPage, type AsyncDocument } from './streams.ts';
import { tryPage, tryPolicy } from './try.ts';

interface ReferenceSettings {
  asyncapi: AsyncDocument;
  /** The build output: redoc.js, changelog.json and their siblings. */
  assetsDir: string;
  /** The guides: `docs/` of the package. */
  docsDir: string;
  digest(): string; // of /openapi.json
}

// Redoc creates its styles in the page and searches in a worker; everything else is blocked. Nothing is loaded from
// another host.
const redocPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const referencePage = (digest: string) =>
  docsDocument({
    title: 'Reference',
    place: '/docs',
    style: 'page.css',
    main: html`<noscript
        >The reference needs JavaScript. The OpenAPI document is at <a href="/openapi.json">/openapi.json</a>.</noscript
      >
      <main id="main" tabindex="-1"></main>`,
    note: html`<p>SHA-256 of <a href="/openapi.json">/openapi.json</a>: <code>${digest}</code></p>`,
    end: html`<script src="/docs/redoc.js"></script>
      <script src="/docs/page.js"></script>`,
  });

const assets = [
  'redoc.js',
  'page.js',
  'page.css',
  'plain.css',
  'guide.css',
  'swagger-ui.js',
  'try.js',
  'try.css',
] as const;

/** The pages under /docs generated from the contract, on the first request. They are the same for every caller. */
export function referencePages({ asyncapi, assetsDir, docsDir, digest }: ReferenceSettings): express.Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get(
    '/docs',
    serveDocument(() => referencePage(digest()), redocPolicy),
  );
  router.get('/docs/try', serveDocument(tryPage, tryPolicy));
  router.get(
    '/docs/streams',
    serveDocument(() => streamsPage(asyncapi, schemas)),
  );
  router.get(
    '/docs/changelog',
    serveDocument(async () =>
      // From this build, so trusted.
      changelogPage(JSON.parse(await readFile(join(assetsDir, 'changelog.json'), 'utf8')) as ChangelogVersion[]),
    ),
  );
  router.use(guidePages(docsDir));
  for (const name of assets) router.get(`/docs/${name}`, serveAsset(assetsDir, name));
  return router;
}
