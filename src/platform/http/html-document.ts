import { html, type Html } from './html.ts';

/** A whole HTML document, used for every page. `body` must contain `#main`, the skip target for keyboard users. */
export const htmlDocument = (title: string, style: string, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Fleet control service</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${style}" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${body}
      </body>
    </html> `.text;
