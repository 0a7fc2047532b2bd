import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { htmlDocument } from '../../platform/http/html-document.ts';
import { html, type Html } from '../../platform/http/html.ts';
import { staticResponse } from '../../platform/http/listener/static-responses.ts';

/** The pages of the reference, in the order of the navigation links. */
const places = {
  '/docs': 'Reference',
  '/docs/try': 'Try it',
  '/docs/streams': 'Streams',
  '/docs/guides': 'Guides',
  '/docs/roles': 'Roles',
  '/docs/changelog': 'Changelog',
} as const;
type Place = keyof typeof places;

const downloads = {
  '/openapi.json': 'OpenAPI 3.1',
  '/openapi-3.0.json': 'OpenAPI 3.0',
  '/asyncapi.json': 'AsyncAPI',
  '/schemas': 'JSON Schemas of frames',
};

const head = (place: Place) =>
  html` <header class="docs-head">
    <p class="name"><a href="/docs">Fleet control service</a></p>
    <nav aria-label="Documentation">
      <ul>
        ${Object.entries(places).map(
          ([path, name]) =>
            html`<li>
              ${path === place ? html`<a href="${path}" aria-current="page">${name}</a>` : html`<a href="${path}">${name}</a>`}
            </li>`,
        )}
      </ul>
    </nav>
  </header>`;

const foot = (note?: Html) =>
  html` <footer class="docs-foot">
    <nav aria-label="Downloads">
      <ul>
        ${Object.entries(downloads).map(([path, name]) => html`<li><a href="${path}">${name}</a></li>`)}
      </ul>
    </nav>
    ${note}
  </footer>`;

interface DocsPage {
  title: string;
  place: Place;
  style: 'plain.css' | 'guide.css' | 'page.css' | 'try.css';
  main: Html;
  note?: Html; // shown in the footer
  end?: Html; // after all other content: scripts
}

/** A whole document of the reference, with the common header and footer. */
export const docsDocument = ({ title, place, style, main, note, end }: DocsPage): string =>
  htmlDocument(title, `/docs/${style}`, html`${head(place)} ${main} ${foot(note)} ${end}`);

/** A page that is the same for every visitor, has no script and loads only its style sheet. */
export const plainDocument = (title: string, place: Place, body: Html): string =>
  docsDocument({
    title,
    place,
    style: 'plain.css',
    main: html`<main id="main" tabindex="-1">
      <h1>${title}</h1>
      ${body}
    </main>`,
  });

/** The policy of pages without scripts. `forms` says where their forms may lead. */
const scriptless = (forms: "'none'" | "'self'") =>
  `default-src 'none'; style-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action ${forms}`;
const plainPolicy = scriptless("'none'");
/** Guides have a search box. */
export const guidePolicy = scriptless("'self'");

/** Browsers revalidate each time, so a page and its assets are of one release. */
export const documentHeaders = (policy: string) => ({
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': policy,
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
});

/** Serves a page that is the same for every visitor; unchanged content is not resent. */
export const serveDocument = (make: () => string | Promise<string>, policy = plainPolicy) =>
  staticResponse(documentHeaders(policy), make);

const fileTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** Serves a file unchanged: a style sheet, script or image with its type; any other as plain text. */
export const serveAsset = (dir: string, name: string) =>
  staticResponse(
    {
      'Cache-Control': 'no-cache',
      'Content-Type': fileTypes[extname(name)] ?? 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
    },
    () => readFile(join(dir, name)),
  );
