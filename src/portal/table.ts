import { html, type Html, type Value } from '../platform/http/html.ts';

interface Table<Row> {
  title: string; // for screen readers
  /** The cells of a row, by column heading. The first names the row. */
  columns: Readonly<Record<string, (row: Row) => Value>>;
  rows: readonly Row[];
  /** Text shown if there are no rows. Default: nothing. */
  whenEmpty?: string;
}

/** A table that scrolls if it is too wide, also by keyboard. */
export function table<Row>({ title, columns, rows, whenEmpty }: Table<Row>): Html {
  if (rows.length === 0) return html`<p>${whenEmpty}</p>`;
  const [name, ...others] = Object.values(columns);
  return html`<div class="wide" role="region" aria-label="${title}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${Object.keys(columns).map((heading) => html`<th scope="col">${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html` <tr>
              <th scope="row">${name?.(row)}</th>
              ${others.map((cell) => html`<td>${cell(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
