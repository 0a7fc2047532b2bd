import { html, type Html } from '../page.ts';

/** Facts by their names, as a list of terms. */
export const factList = (facts: Readonly<Record<string, Html>>): Html =>
  html`<dl class="facts">
    ${Object.entries(facts).map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
