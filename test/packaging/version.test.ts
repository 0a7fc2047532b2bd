import { expect, test } from 'vitest';
import {
  chartOf,
  hasUnreleased,
  lastVersion,
  nextVersion,
  releasedChangelog,
  withRelease,
} from '../../packaging/version.ts';

const changelog = (last: string, unreleased: string) =>
  `# Changelog\n\n## Unreleased\n\n${unreleased}\n## ${last} - 2026-01-31\n\n### Added\n\n- All of it.\n`;

test('what is unreleased decides the next version', () => {
  const next = (last: string, ...kinds: string[]) =>
    nextVersion(changelog(last, kinds.map((kind) => `### ${kind}\n\n- A change.\n`).join('\n')));
  expect(next('1.2.3', 'Breaking', 'Added')).toBe('2.0.0');
  expect(next('1.2.3', 'Added', 'Fixed')).toBe('1.3.0');
  expect(next('1.2.3', 'Fixed', 'Changed')).toBe('1.2.4');
  // Before 1.0.0, a minor version may break.
  expect(next('0.9.1', 'Breaking')).toBe('0.10.0');
  expect(() => next('1.2.3')).toThrow('nothing under "Unreleased"');
});

test('a release names its version and date, and leaves an empty section for the next changes', () => {
  const before = changelog('1.2.3', '### Fixed\n\n- A fault, `$&` and all.\n');
  expect(hasUnreleased(before)).toBe(true);
  const after = releasedChangelog(before, '1.2.4', '2026-03-01');
  expect(after).toContain('## Unreleased\n\n## 1.2.4 - 2026-03-01\n\n### Fixed\n\n- A fault, `$&` and all.');
  expect([lastVersion(after), hasUnreleased(after)]).toEqual(['1.2.4', false]);
});

test('the chart has the version of the release, which is also that of its image', () => {
  const chart = (version: string) => `apiVersion: v2\nversion: ${version}\nappVersion: ${version}\n`;
  expect(chartOf(chart('1.2.3'), '1.2.4')).toBe(chart('1.2.4'));
});

test('the last migration of a release is added to the list', () => {
  const list = (lines: string) => `export const lastMigrations = {\n  '1.2.3': '0001_a',\n${lines}};\n`;
  expect(withRelease(list(''), '1.2.4', '0002_b')).toBe(list("  '1.2.4': '0002_b',\n"));
});
