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
          Requests are real: they go to <strong id="origin">this service</strong> with the rights of the token that you
          enter under “Authorize”. The token stays only in the memory of this page. A reload or “Logout” removes it,
          together with the command lines that contain it. The console does not use your portal session.
        </p>
        <p>
          For each operation, see the <a href="/docs">reference</a>. For WebSockets, which the console does not support,
          see <a href="/docs/streams">Streams</a>.
        </p>
        <noscript
          >The console needs JavaScript. The OpenAPI document is at <a href="/openapi.json">/openapi.json</a>.</noscript
        >
        <p id="failure" role="alert"></p>
      </div>
      <div id="console"></div>
    </main>`,
    end: html`<script src="/docs/swagger-ui.js"></script>
      <script src="/docs/try.js"></script>`,
  });
