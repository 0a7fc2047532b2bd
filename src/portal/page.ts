import type { ServerResponse } from 'node:http';
import { htmlDocument } from '../platform/http/html-document.ts';
import { html, type Html } from '../platform/http/html.ts';
import type { Session } from './session.ts';

export { html, type Html } from '../platform/http/html.ts';

interface Page {
  title: string;
  session?: Session | undefined; // who is signed in; shows who and the way out
  body: Html;
}

/** Where the forms of a page may lead besides the service itself, as sources of a Content-Security-Policy; redirects count. */
type FormTargets = readonly string[];

const policy = (targets: FormTargets) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    ["form-action 'self'", ...targets].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/** What stands with every page: nothing of it is kept, framed, sent on to others or loaded from elsewhere. */
const pageHeaders = (targets: FormTargets = []) => ({
  'Cache-Control': 'no-store',
  'Content-Security-Policy': policy(targets),
  'Content-Type': 'text/html; charset=utf-8',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Nothing for others. Not `no-referrer`: browsers then hide the origin of our own forms from us too.
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

/** The hidden field that every form of a session carries (`readForm`). */
export const csrfField = ({ csrf }: Session): Html => html`<input type="hidden" name="csrf" value="${csrf}" />`;

/** A whole document. It works without JavaScript and loads one style sheet. */
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

/** Answers with a page. */
export function sendPage(
  response: ServerResponse,
  content: Page,
  { status = 200, headers = {}, formTargets = [] as FormTargets } = {},
): void {
  response.writeHead(status, { ...pageHeaders(formTargets), ...headers }).end(page(content));
}
