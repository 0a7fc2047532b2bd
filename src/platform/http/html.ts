/** Markup that is safe to send. Only `html` creates it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Values allowed in markup: text is escaped, undefined is empty. */
export type Value = string | number | Html | readonly Html[] | undefined;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const toMarkup = (value: Value): string => {
  if (value === undefined) return '';
  if (typeof value === 'object') return 'text' in value ? value.text : value.map(({ text }) => text).join('');
  return String(value).replace(/[&<>"']/g, (sign) => entities[sign] ?? '');
};

/** Markup with values in it. Every value except markup from this function is escaped; attributes need double quotes. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(parts.map((part, index) => part + toMarkup(values[index])).join(''));
