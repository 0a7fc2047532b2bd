import { html, type Html } from '../platform/http/html.ts';

/** The day of an instant of the contract, with the full instant for programs; `otherwise` if undefined. */
export const day = (instant: string | undefined, otherwise: string): Html =>
  instant === undefined ? html`${otherwise}` : html`<time datetime="${instant}">${instant.slice(0, 10)}</time>`;
