import type { ServerResponse } from 'node:http';
import { htmlDocument } from '../platform/http/html-document.ts';
import { html, type Html } from '../platform/http/html.ts';
import type { Session } from './session.ts';

export { html, type Html } from '../platform/http/html.ts';

interface Page {
  title: string;
  session?: Session | undefined; // the signed-in session; shows the person and the sign-out button
  body: Html;
}

/** Targets of a page's forms besides the service itself, as Content-Security-Policy sources; redirects count. */
type FormTargets = readonly string[];

const policy = (targets: FormTargets, isLive: boolean) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    ...(isLive ? ["script-src 'self'", "connect-src 'self'"] : []),
    ["form-action 'self'", ...targets].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/**
 * Headers of every page: it may not be cached, framed, used by other sites, or load anything from elsewhere. A live page
 * has a script, which keeps the ETag of what it shows itself.
 */
export const pageHeaders = (targets: FormTargets = [], { isLive = false } = {}) => ({
  'Cache-Control': 'no-store',
  'Content-Security-Policy': policy(targets, isLive),
  'Content-Type': 'text/html; charset=utf-8',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Nothing for other sites. Not `no-referrer`: with it, browsers hide the origin of the service's own forms from the
  // service too.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
});

const signedInAs = (session: Session) =>
  html` <form class="who" method="post" action="/sign-out">
    <span>Signed in as <strong>${session.email}</strong></span>
    ${csrfField(session)}
    <button type="submit" class="quiet">Sign out</button>
  </form>`;

/** The hidden field of every form of a session (`readForm`). */
export const csrfField = ({ csrf }: Session): Html => html`<input type="hidden" name="csrf" value="${csrf}" />`;

/** A whole HTML document. It works without JavaScript and loads one style sheet. */
export const page = ({ title, session, body }: Page): string =>
  htmlDocument(
    title,
    '/portal/style.css',
    html`<header>
        <p class="name"><a href="/portal">Fleet control service</a></p>
        ${session && signedInAs(session)}
      </header>
      <main id="main" tabindex="-1">
        <h1>${title}</h1>
        ${body}
      </main>`,
  );

/** Responds with a page. */
export function sendPage(
  response: ServerResponse,
  content: Page,
  { status = 200, headers = {}, formTargets = [] as FormTargets, isLive = false } = {},
): void {
  response.writeHead(status, { ...pageHeaders(formTargets, { isLive }), ...headers }).end(page(content));
}
