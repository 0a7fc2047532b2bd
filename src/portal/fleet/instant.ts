import { html, type Html } from '../page.ts';

/** An instant of the contract to the second, as text that stays the same: an age would change the page with each poll. */
export const instant = (at: string | undefined): Html =>
  at === undefined ? html`–` : html`<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 19)} UTC</time>`;
