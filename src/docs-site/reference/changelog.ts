import { html, type Html } from '../../platform/http/html.ts';
import { plainDocument } from './docs-page.ts';
import { inline } from './markdown.ts';

/** CHANGELOG.md as parsed by the build. */
export interface ChangelogVersion {
  version: string;
  date?: string;
  entries: readonly { kind: string; text: string; breaking: boolean }[];
}

const isBreaking = ({ entries }: ChangelogVersion) => entries.some(({ breaking }) => breaking);
const mark = html`<span class="breaking">breaking</span>`;
const nameOf = ({ version, date }: ChangelogVersion) => (date === undefined ? version : `${version}, ${date}`);

function section(release: ChangelogVersion): Html {
  const kinds = [...new Set(release.entries.map(({ kind }) => kind))];
  return html`<section>
    <h2 id="${release.version}">
      <a href="#${release.version}">${nameOf(release)}</a> ${isBreaking(release) ? mark : undefined}
    </h2>
    ${kinds.map(
      (kind) =>
        html`<h3>${kind}</h3>
          <ul class="entries">
            ${release.entries
              .filter((entry) => entry.kind === kind)
              .map(({ text, breaking }) => html`<li>${breaking ? html`${mark} ` : undefined}${inline(text)}</li>`)}
          </ul>`,
    )}
  </section>`;
}

/** `/docs/changelog`: each version has its own anchor, `#0.2.0`. */
export const changelogPage = (releases: readonly ChangelogVersion[]): string =>
  plainDocument(
    'Changelog',
    '/docs/changelog',
    html`<p>
        Changes of the service, its contract and its client. Changes that require an update of your client are marked
        ${mark}.
      </p>
      <ul class="on-page">
        ${releases.map((release) => html`<li><a href="#${release.version}">${nameOf(release)}</a></li>`)}
      </ul>
      ${releases.map(section)}`,
  );
