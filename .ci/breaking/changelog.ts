import type { Breaking } from './document.ts';

/**
 * What the "### Breaking" sections above the heading of `version` say; without such a heading, those of the topmost release. Between a
 * release commit and its tag the newest changes stand under their number already, so "Unreleased" alone would be too narrow.
 */
export function announced(changelog: string, version: string): string {
  const releases = changelog.split(/^(?=## )/m).slice(1);
  const heading = releases.findIndex(
    (release) => /^## \[?v?([^\]\s]+)/.exec(release)?.[1] === version.replace(/^v/, ''),
  );
  return releases
    .slice(0, heading === -1 ? 1 : heading)
    .flatMap((release) => release.split(/^(?=### )/m))
    .filter((section) => /^### Breaking\s*$/m.test(section))
    .join('\n');
}

/** The changes that the text does not name as a whole word. */
export function unannounced(changes: Breaking[], text: string): Breaking[] {
  const words = new Set(text.match(/[A-Za-z0-9_]+/g));
  return changes.filter(({ subject }) => !words.has(subject));
}
