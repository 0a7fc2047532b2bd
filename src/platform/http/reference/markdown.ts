import { html, type Html } from '../html.ts';

/** Code, strong and links to this host or by https. Whatever else looks like Markdown stays text. */
const inlineSigns = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(((?:https:\/|\/|#)[^\s)]*)\)/g;

/** The Markdown of one line. */
export function inline(text: string): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const match of text.matchAll(inlineSigns)) {
    const [whole, code, strong, label = '', target] = match;
    parts.push(html`${text.slice(end, match.index)}`);
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (strong !== undefined) parts.push(html`<strong>${inline(strong)}</strong>`);
    else parts.push(html`<a href="${target}">${label}</a>`);
    end = match.index + whole.length;
  }
  return html`${parts}${text.slice(end)}`;
}

/** As much Markdown as the contract uses: paragraphs and tables. The text is ours, and is escaped nevertheless. */
export const markdown = (text: string): Html =>
  html`${text
    .trim()
    .split(/\n\s*\n/)
    .map((block) => (block.startsWith('|') ? table(block) : html`<p>${inline(block)}</p>`))}`;

const cellsOf = (line: string) =>
  line
    .replaceAll(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

function table(block: string): Html {
  const [heading = '', , ...rows] = block.split('\n');
  return html`<div class="wide prose" role="region" aria-label="${cellsOf(heading)[0]}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${cellsOf(heading).map((name) => (name === '' ? html`<td></td>` : html`<th scope="col">${inline(name)}</th>`))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${cellsOf(row).map((cell, place) => (place === 0 ? html`<th scope="row">${inline(cell)}</th>` : html`<td>${inline(cell)}</td>`))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
