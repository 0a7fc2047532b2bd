import { lexer, Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { html, type Html } from '../../platform/http/html.ts';
import { headingIds } from './slugs.ts';

/**
 * Returns the address for a link or image target; undefined if the service does not serve it: only the label is then
 * shown.
 */
type Resolve = (target: string) => string | undefined;

/** Accepts links by https, to this host, and within the page. */
export const asWritten: Resolve = (target) => (/^(https:\/|\/|#)/.test(target) ? target : undefined);

/** Renders one line of Markdown. */
export const inline = (text: string): Html => renderer(asWritten)(Lexer.lexInline(text));

/** Renders a Markdown text. HTML in it is escaped, since every value passes through `html`. */
export const markdown = (text: string, resolve: Resolve = asWritten): Html => renderer(resolve)(lexer(text));

function renderer(resolve: Resolve): (tokens: readonly Token[]) => Html {
  const idOf = headingIds();
  const all = (tokens: readonly Token[] = []): Html => html`${tokens.map((token) => one(token as MarkedToken))}`; // no extension adds any

  function one(token: MarkedToken): Html {
    switch (token.type) {
      case 'blockquote':
        return html`<blockquote>${all(token.tokens)}</blockquote>`;
      case 'br':
        return html`<br />`;
      case 'code':
        return html`<pre><code>${token.text}</code></pre>`;
      case 'codespan':
        return html`<code>${token.text}</code>`;
      case 'del':
        return html`<del>${all(token.tokens)}</del>`;
      case 'em':
        return html`<em>${all(token.tokens)}</em>`;
      case 'heading':
        return heading(token);
      case 'hr':
        return html`<hr />`;
      case 'image':
        return image(token);
      case 'link':
        return link(token);
      case 'list':
        return list(token);
      case 'list_item':
        return html`<li>${all(token.tokens)}</li>`;
      case 'paragraph':
        return html`<p>${all(token.tokens)}</p>`;
      case 'strong':
        return html`<strong>${all(token.tokens)}</strong>`;
      case 'table':
        return table(token);
      case 'text':
        return token.tokens ? all(token.tokens) : html`${token.text}`;
      case 'checkbox':
      case 'def':
      case 'space':
        return html``;
      case 'escape':
      case 'html':
        return html`${token.text}`;
    }
  }

  function heading({ depth, text, tokens }: Tokens.Heading): Html {
    const id = idOf(text);
    const content = html`<a href="#${id}">${all(tokens)}</a>`;
    if (depth <= 2) return html`<h2 id="${id}">${content}</h2>`; // the h1 is the page title
    return depth === 3 ? html`<h3 id="${id}">${content}</h3>` : html`<h4 id="${id}">${content}</h4>`;
  }

  function image({ href, text }: Tokens.Image): Html {
    const source = resolve(href);
    return source === undefined ? html`${text}` : html`<img src="${source}" alt="${text}" loading="lazy" />`;
  }

  function link({ href, tokens }: Tokens.Link): Html {
    const target = resolve(href);
    return target === undefined ? all(tokens) : html`<a href="${target}">${all(tokens)}</a>`;
  }

  function list({ ordered, start, items }: Tokens.List): Html {
    const content = html`${items.map(one)}`;
    if (!ordered)
      return html`<ul>
        ${content}
      </ul>`;
    return html`<ol start="${start === '' ? 1 : start}">
      ${content}
    </ol>`;
  }

  /** The first cell of a row is its header. */
  function table({ header, rows }: Tokens.Table): Html {
    const names = header.map(({ text }) => text).filter((text) => text !== '');
    return html`<div class="wide prose" role="region" aria-label="${names.join(', ')}" tabindex="0">
      <table>
        <thead>
          <tr>
            ${header.map(({ text, tokens }) => (text === '' ? html`<td></td>` : html`<th scope="col">${all(tokens)}</th>`))}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (cells) =>
              html`<tr>
                ${cells.map(({ tokens }, place) => (place === 0 ? html`<th scope="row">${all(tokens)}</th>` : html`<td>${all(tokens)}</td>`))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  return all;
}
