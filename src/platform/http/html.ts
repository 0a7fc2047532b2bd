/** Markup that is ready to be sent. Only `html` makes it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in markup: text is escaped, undefined is nothing. */
export type Value = string | number | Html | readonly Html[] | undefined;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const toMarkup = (value: Value): string => {
  if (value === undefined) return '';
  if (typeof value === 'object') return 'text' in value ? value.text : value.map(({ text }) => text).join('');
  return String(value).replace(/[&<>"']/g, (sign) => entities[sign] ?? '');
};

/** Markup with values in it. Every value is escaped but markup made by this function itself; attributes stand in double quotes. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(parts.map((part, index) => part + toMarkup(values[index])).join(''));
