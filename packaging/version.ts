import { releasesOf, type ChangelogVersion } from '../.ci/breaking/changelog.ts';

const unreleased = 'Unreleased';

/** The newest release and what came after it. @throws if the CHANGELOG has no release */
function split(changelog: string): { last: string; pending: ChangelogVersion['entries'] } {
  const sections = releasesOf(changelog);
  const last = sections.find(({ version }) => version !== unreleased)?.version;
  if (last === undefined) throw new Error('CHANGELOG.md has no release');
  return { last, pending: sections.find(({ version }) => version === unreleased)?.entries ?? [] };
}

export const lastVersion = (changelog: string): string => split(changelog).last;
export const hasUnreleased = (changelog: string): boolean => split(changelog).pending.length > 0;

/**
 * The version of the next release, by what "Unreleased" says: a breaking change makes a major version, an addition a minor
 * one, and all else a patch. Before 1.0.0 a breaking change makes a minor version.
 * @throws if nothing is unreleased
 */
export function nextVersion(changelog: string): string {
  const { last, pending } = split(changelog);
  if (pending.length === 0) throw new Error('CHANGELOG.md has nothing under "Unreleased"');
  const [major = 0, minor = 0, patch = 0] = last.split('.').map(Number);
  const isBreaking = pending.some(({ breaking }) => breaking);
  if (isBreaking && major > 0) return `${major + 1}.0.0`;
  if (isBreaking || pending.some(({ kind }) => kind === 'Added')) return `${major}.${minor + 1}.0`;
  return `${major}.${minor}.${patch + 1}`;
}

/** The CHANGELOG after the release: the section has the version and its date, and an empty one stands above it. */
export const releasedChangelog = (changelog: string, version: string, date: string): string =>
  changelog.replace(`## ${unreleased}\n`, () => `## ${unreleased}\n\n## ${version} - ${date}\n`);

/** Chart.yaml of this version, for the image of the same version. */
export const chartOf = (chart: string, version: string): string =>
  chart.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`);

/** `releases.ts` of the migrations with the last migration of this release. */
export const withRelease = (source: string, version: string, migration: string): string =>
  source.replace('\n};', () => `\n  '${version}': '${migration}',\n};`);
