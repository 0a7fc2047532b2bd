import { html, type Html } from '../page.ts';
import { instant } from './instant.ts';

/** From the worst. */
export const healthStatuses = ['unhealthy', 'degraded', 'unknown', 'healthy'] as const;

/** A sign beside each word, for those who do not see its color. */
const signs: Readonly<Record<string, string>> = { unhealthy: '✖', degraded: '▲', unknown: '?', healthy: '✔' };

export const healthWord = (status: string): Html =>
  html`<span class="health ${status}"><span aria-hidden="true">${signs[status] ?? ''}</span> ${status}</span>`;

/** A bar with a part for each name, and the numbers as its text alternative. Parts without a number are left out. */
export function bar(parts: Readonly<Record<string, number>>): Html {
  const used = Object.entries(parts).filter(([, count]) => count > 0);
  const total = used.reduce((sum, [, count]) => sum + count, 0);
  let begin = 0;
  const rects = used.map(([name, count]) => {
    const width = (count / total) * 100;
    const rect = html`<rect class="${name}" x="${begin}" y="0" width="${width}" height="10"></rect>`;
    begin += width;
    return rect;
  });
  const text = used.map(([name, count]) => `${count} ${name.replace('_', ' ')}`).join(', ') || 'none';
  return html`<svg class="bar" role="img" aria-label="${text}" viewBox="0 0 100 10" preserveAspectRatio="none">
    ${rects}
  </svg>`;
}

/** The numbers of a bar in words, as on the page. */
export const numbers = (parts: Readonly<Record<string, number>>): Html => {
  const used = Object.entries(parts).filter(([, count]) => count > 0);
  return html`<span class="numbers"
    >${used.map(([name, count]) => html`<span>${count} ${name.replace('_', ' ')}</span>`)}</span
  >`;
};

/** Conditions with their start, and with `withMessages` their values. */
export const conditionList = (
  conditions: readonly { rule_id: string; name: string; severity: string; since: string; message: string }[],
  { withMessages = false } = {},
): Html | undefined =>
  conditions.length === 0
    ? undefined
    : html`<ul class="conditions">
        ${conditions.map(
          ({ name, severity, since, message }) =>
            html`<li>
              <strong>${name}</strong>${withMessages ? ` (${severity})` : ''} since
              ${instant(since)}${withMessages ? `: ${message}` : ''}
            </li>`,
        )}
      </ul>`;
