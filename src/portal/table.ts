import { html, type Html, type Value } from '../platform/http/html.ts';

interface Table<Row> {
  title: string; // for those who hear the page
  /** What stands in a row, by the heading of its column. The first names the row. */
  columns: Readonly<Record<string, (row: Row) => Value>>;
  rows: readonly Row[];
  /** What stands in its place where there are no rows. Default: nothing. */
  whenEmpty?: string;
}

/** A table that scrolls where it finds no room, by the keyboard too. */
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
