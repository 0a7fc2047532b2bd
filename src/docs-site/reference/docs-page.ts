import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { htmlDocument } from '../../platform/http/html-document.ts';
import { html, type Html } from '../../platform/http/html.ts';
import { staticResponse } from '../../platform/http/listener/static-responses.ts';

/** The pages of the reference, in the order of their links. */
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
  style: 'plain.css' | 'page.css' | 'try.css';
  main: Html;
  note?: Html; // stands in the foot
  end?: Html; // after everything: scripts
}

/** A whole document of the reference: between the same head and foot. */
export const docsDocument = ({ title, place, style, main, note, end }: DocsPage): string =>
  htmlDocument(title, `/docs/${style}`, html`${head(place)} ${main} ${foot(note)} ${end}`);

/** A page that is the same for everybody, has no script and loads its style alone. */
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

const plainPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** A browser asks each time, so that a page and what it loads are of one release; what it has is not sent again. */
export const serveDocument = (make: () => string | Promise<string>, policy = plainPolicy) =>
  staticResponse(
    {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': policy,
      'Content-Type': 'text/html; charset=utf-8',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    },
    make,
  );

const fileTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

/** A file that is served as it is: a style, script or picture of a page; every other one is shown as text. */
export const serveAsset = (dir: string, name: string) =>
  staticResponse(
    {
      'Cache-Control': 'no-cache',
      'Content-Type': fileTypes[extname(name)] ?? 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
    },
    () => readFile(join(dir, name)),
  );
