import type { Breaking } from './document.ts';

/** What CHANGELOG.md says of a version; "Unreleased" is one, and has no date. */
export interface ChangelogVersion {
  version: string;
  date?: string;
  entries: Entry[];
}

/** One thing that changed: under which heading it stands ("Added"), its Markdown on one line, and whether a client has to do something. */
interface Entry {
  kind: string;
  text: string;
  breaking: boolean;
}

/** The versions of a CHANGELOG, from the top. What stands before the first heading is about the file, not about a version. */
export function releasesOf(changelog: string): ChangelogVersion[] {
  return changelog
    .split(/^(?=## )/m)
    .filter((section) => section.startsWith('## '))
    .map((section) => {
      const [, version = '', date] = /^## \[?v?([^\]\s]+)\]?(?: - (\S+))?/.exec(section) ?? [];
      return { version, ...(date === undefined ? {} : { date }), entries: entriesOf(section) };
    });
}

function entriesOf(release: string): Entry[] {
  return release
    .split(/^(?=### )/m)
    .slice(1)
    .flatMap((section) => {
      const [heading = '', ...lines] = section.split('\n');
      const kind = heading.replace('### ', '').trim();
      // An item, or a paragraph beside items; its lines are one text however they were broken.
      return lines
        .join('\n')
        .split(/\n(?=- )|\n\s*\n/)
        .map((text) =>
          text
            .replace(/^\s*- /, '')
            .replaceAll(/\s+/g, ' ')
            .trim(),
        )
        .filter((text) => text !== '')
        .map((text) => ({ kind, text, breaking: kind === 'Breaking' }));
    });
}

/** What "### Breaking" of one version says, as one text. */
export const announced = (changelog: string, version: string): string =>
  releasesOf(changelog)
    .filter((release) => release.version === version)
    .flatMap(({ entries }) => entries)
    .filter(({ breaking }) => breaking)
    .map(({ text }) => text)
    .join('\n');

/** The changes that the text does not name as a whole word. */
export function unannounced(changes: Breaking[], text: string): Breaking[] {
  const words = new Set(text.match(/[A-Za-z0-9_]+/g));
  return changes.filter(({ subject }) => !words.has(subject));
}
