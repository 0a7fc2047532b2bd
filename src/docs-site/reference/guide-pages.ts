import { html, type Html } from '../../platform/http/html.ts';
import { docsDocument } from './docs-page.ts';
import { markedParts, wordsOf, type Match } from './guide-search.ts';
import { inline } from './markdown.ts';

export const guidesRoot = '/docs/guides';
export const searchPath = `${guidesRoot}/search`;
export const maxQueryCharacters = 200;

/** A page or example as an entry of a list. */
export interface GuideEntry {
  address: string;
  title: string;
  summary: string; // Markdown; may be empty
}

/** The guides of one folder, as readers see them. */
export interface GuideGroup {
  id: string;
  title: string;
  intro: string;
  entries: readonly GuideEntry[];
}

const searchBox = (query = '') =>
  html`<form class="search" role="search" action="${searchPath}">
    <label
      >Search the guides <input type="search" name="q" value="${query}" maxlength="${maxQueryCharacters}" required
    /></label>
    <button>Search</button>
  </form>`;

const main = (title: string, body: Html) =>
  html`<main id="main" tabindex="-1">
    <h1>${title}</h1>
    ${body}
  </main>`;

const guideDocument = (title: string, content: Html) =>
  docsDocument({ title, place: guidesRoot, style: 'guide.css', main: content });

const listed = ({ address, title, summary }: GuideEntry): Html =>
  html`<li><a href="${address}">${title}</a>${summary === '' ? undefined : html`: ${inline(summary)}`}</li>`;

/** `/docs/guides` */
export const indexPage = (groups: readonly GuideGroup[]): string =>
  guideDocument(
    'Guides',
    main(
      'Guides',
      html`<p>Documentation of the service, its agent and its client.</p>
        ${searchBox()}
        ${groups.map(
          ({ id, title, intro, entries }) =>
            html`<section>
              <h2 id="${id}"><a href="#${id}">${title}</a></h2>
              <p>${intro}</p>
              <ul class="entries">
                ${entries.map(listed)}
              </ul>
            </section>`,
        )}`,
    ),
  );

/** Beside the guide on a wide screen, and above it on a narrow one, where it is closed at first. */
const navigation = ({ title, entries }: GuideGroup, current: string): Html =>
  html`<nav aria-label="${title}">
    <p class="group">${title}</p>
    <details>
      <summary>${title}</summary>
      <ul>
        ${entries.map(
          (entry) =>
            html`<li>
              ${
                entry.address === current
                  ? html`<a href="${entry.address}" aria-current="page">${entry.title}</a>`
                  : html`<a href="${entry.address}">${entry.title}</a>`
              }
            </li>`,
        )}
      </ul>
    </details>
  </nav>`;

/** One guide, beside the other guides of its group. */
export const guidePage = (title: string, body: Html, group: GuideGroup | undefined, address: string): string =>
  guideDocument(
    title,
    html`<div class="guide">
      <div class="beside">${searchBox()} ${group && navigation(group, address)}</div>
      ${main(title, body)}
    </div>`,
  );

const resultsTitle = 'Search the guides';

/** The page for a query that cannot be searched for. */
export const refusalPage = (message: string): string =>
  guideDocument(
    resultsTitle,
    main(
      resultsTitle,
      html`${searchBox()}
        <p>${message}</p>
        ${allGuides}`,
    ),
  );

const allGuides = html`<p><a href="${guidesRoot}">All guides</a></p>`;

function result({ address, title, heading, excerpt }: Match, words: readonly string[]): Html {
  const marked = (text: string) =>
    html`${markedParts(text, words).map((part) => (part.isMatch ? html`<mark>${part.text}</mark>` : html`${part.text}`))}`;
  return html`<li>
    <h2>
      <a href="${address}">${marked(title)}${heading === '' ? undefined : html` › ${marked(heading)}`}</a>
    </h2>
    <p>${marked(excerpt)}</p>
  </li>`;
}

/** The page of the matches of a query. */
export function resultsPage(query: string, matches: readonly Match[]): string {
  const words = wordsOf(query);
  const count = matches.length === 1 ? '1 result' : `${matches.length} results`;
  return guideDocument(
    `${query} · Search`,
    main(
      resultsTitle,
      matches.length === 0
        ? html`${searchBox(query)}
            <p>No guide has a section with all of these words: ${words.join(', ')}. Use fewer or shorter words.</p>
            ${allGuides}`
        : html`${searchBox(query)}
            <p>${count} for ${words.join(', ')}</p>
            <ol class="results">
              ${matches.map((match) => result(match, words))}
            </ol>`,
    ),
  );
}
