import { html } from '../../platform/http/html.ts';
import { docsDocument } from './docs-page.ts';

/**
 * Only this page of the reference may hold a token: scripts, styles and requests are limited to the service's own
 * origin. Its icons are data URLs.
 */
export const tryPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** `/docs/try`: a console for the operations of the contract, on the service that serves it. `try.js` fills it. */
export const tryPage = (): string =>
  docsDocument({
    title: 'Try it',
    place: '/docs/try',
    style: 'try.css',
    main: html`<main id="main" tabindex="-1">
      <div class="about">
        <h1>Try it</h1>
        <p>
          Requests made here are real: they go to <strong id="origin">this service</strong>, and act with the rights of
          the token that you give under “Authorize”. The token is kept in the memory of this page alone and is gone
          after a reload or “Logout”; the command line that is shown with an answer contains it, and goes with it. A
          session of the portal is not used.
        </p>
        <p>
          What each operation does is told in <a href="/docs">the reference</a>; the WebSockets, which are not here, on
          <a href="/docs/streams">their page</a>.
        </p>
        <noscript
          >The console needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript
        >
        <p id="failure" role="alert"></p>
      </div>
      <div id="console"></div>
    </main>`,
    end: html`<script src="/docs/swagger-ui.js"></script>
      <script src="/docs/try.js"></script>`,
  });
