import { html, type Html } from '../platform/http/html.ts';

/** The day of an instant of the contract, with the full instant for programs; `otherwise` if undefined. */
export const day = (instant: string | undefined, otherwise: string): Html =>
  instant === undefined ? html`${otherwise}` : html`<time datetime="${instant}">${instant.slice(0, 10)}</time>`;

const soonDays = 14;
const dayMs = 86_400_000;

/** The day on which something ends, with the days left if they are fewer than 14; `otherwise` if undefined. */
export function endDay(instant: string | undefined, otherwise: string): Html {
  const days = Math.ceil((Date.parse(instant ?? '') - Date.now()) / dayMs);
  if (!(days > 0 && days <= soonDays)) return day(instant, otherwise);
  return html`${day(instant, otherwise)} <strong>(expires in ${days === 1 ? '1 day' : `${days} days`})</strong>`;
}
