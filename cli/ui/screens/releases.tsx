import { amount } from '../../output/units.ts';
import type { Release, Robot } from '../data/data.ts';
import { ageColumn } from '../table/age-column.ts';
import type { TableDefinition } from '../table/definition.ts';
import { exactly } from '../table/filter-words.ts';
import { derivedRows, perUi } from '../table/derived-rows.ts';
import { releasesOf } from './robot-rows.ts';
import { tableScreen } from './table-screen.tsx';

interface ReleaseRow {
  release: Release;
  /** Robots that have proved to run it; undefined while robots are not loaded. */
  robots: number | undefined;
}

const shaPrefix = 12;

const releasesTable = perUi(({ data }): TableDefinition<ReleaseRow> => ({
  noun: 'releases',
  source: derivedRows(data.releases, [data.robots], ({ items }) => {
    const counts = countsOf(data.robots.get().value?.items);
    return items.map((release) => ({ release, robots: counts && (counts.get(release.id) ?? 0) }));
  }),
  id: ({ release }) => release.id,
  name: ({ release }) => release.tag,
  columns: [
    { title: 'tag', width: 24, least: 12, rank: 0, isFlexible: true, text: ({ release }) => release.tag },
    { title: 'kind', width: 16, least: 9, rank: 3, text: ({ release }) => release.kind.replaceAll('_', ' ') },
    {
      title: 'size',
      width: 9,
      rank: 2,
      align: 'right',
      text: ({ release }) => amount(release.artifact_size),
      saved: ({ release }) => String(release.artifact_size),
      order: ({ release }) => release.artifact_size,
    },
    { title: 'sha256', width: shaPrefix, rank: 5, text: ({ release }) => release.artifact_sha256.slice(0, shaPrefix), saved: ({ release }) => release.artifact_sha256 }, // prettier-ignore
    {
      title: 'signed',
      width: 8,
      rank: 4,
      text: signedOf,
      tone: ({ release }) => (release.signature === undefined ? 'quiet' : 'good'),
    },
    { title: 'state', width: 8, rank: 3, text: stateOf, tone: () => 'quiet', isSearched: false },
    {
      title: 'stored',
      width: 6,
      rank: 6,
      isWide: true,
      text: ({ release }) => (release.artifact_stored ? 'yes' : 'no'),
    },
    {
      title: 'runs on',
      width: 13,
      rank: 1,
      align: 'right',
      text: ({ robots }) =>
        robots === undefined ? '' : `${robots.toLocaleString('en-US')} robot${robots === 1 ? '' : 's'}`,
      saved: ({ robots }) => String(robots ?? ''),
      tone: ({ robots }) => (robots === 0 ? 'quiet' : undefined),
      order: ({ robots }) => robots ?? Number.NaN,
    },
    ageColumn({ title: 'made', width: 6, rank: 2 }, ({ release }) => release.created_at),
    { title: 'notes', width: 30, least: 10, rank: 7, isWide: true, text: ({ release }) => release.notes ?? '' },
    { title: 'id', width: 36, rank: 8, isWide: true, text: ({ release }) => release.id },
  ],
  fields: {
    tag: ({ release }) => release.tag,
    kind: ({ release }) => release.kind,
    sha: ({ release }) => release.artifact_sha256,
    signed: signedOf,
    state: stateOf,
    robots: ({ robots }) => String(robots ?? ''),
    made: ({ release }) => release.created_at,
    id: ({ release }) => release.id,
  },
  open: ({ views }, { release }) => views.go({ screen: 'robots', filter: exactly('release', release.tag) }),
  empty: { text: 'No releases yet.', next: 'Create one: cli releases push <file>' },
}));

const stateOf = ({ release }: ReleaseRow) => (release.archived_at === undefined ? '' : 'archived');

const signedOf = ({ release }: ReleaseRow) => (release.signature === undefined ? 'no' : 'yes');

/** Number of robots by the release they run. */
function countsOf(robots: readonly Robot[] | undefined): ReadonlyMap<string, number> | undefined {
  if (!robots) return undefined;
  const counts = new Map<string, number>();
  for (const robot of robots)
    for (const { release_id: id } of releasesOf(robot)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

export const releasesScreen = tableScreen(
  {
    id: 'releases',
    title: 'Releases',
    tab: { digit: '4', name: 'Releases', short: 'Rel' },
    wants: ({ data }) => [data.releases, data.robots],
  },
  releasesTable,
);
