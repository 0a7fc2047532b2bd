import type { PageAnswer } from '../support/browser.ts';

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plain = (text: string) => text.replace(/&(\w+|#39);/g, (all, name: string) => entities[name] ?? all);

/** The form of a page with its current values: hidden, typed and preselected. */
export function formOf({ text }: Pick<PageAnswer, 'text'>): Record<string, string> {
  const [, form = ''] = /<form class="stacked"[^>]*>(.*?)<\/form>/s.exec(text) ?? [];
  const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  const inputs = [...form.matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag);
  const sent = inputs.filter((tag) => !tag.includes('type="radio"') || /\bchecked\b/.test(tag));
  const selects = [...form.matchAll(/<select\b[^>]*name="(\w+)"[^>]*>\s*<option value="([^"]*)"/g)];
  return Object.fromEntries([
    ...sent.map((tag) => [attribute(tag, 'name'), plain(attribute(tag, 'value'))]),
    ...selects.map(([, name, value]) => [name, value]),
  ]) as Record<string, string>;
}
