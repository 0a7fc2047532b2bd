import { humanize } from '../../output/deployment-format.ts';
import { safeJson } from '../../output/safe.ts';
import { maxEntries } from '../data/entries.ts';
import type { Snapshot } from '../data/freshness.ts';
import type { Readable } from '../data/store.ts';
import { ageColumn } from '../table/age-column.ts';
import type { TableDefinition } from '../table/definition.ts';
import { perUi } from '../table/derived-rows.ts';
import type { Ui } from '../ui.ts';
import { activityRows, operationWords, placeOf, type ActivityRow } from './activity-rows.ts';
import { tableScreen } from './table-screen.tsx';

const activityTable = perUi((ui): TableDefinition<ActivityRow> => ({
  noun: 'entries',
  one: 'entry',
  source: forbiddenAs('The audit log requires the role admin.', activityRows(ui)),
  id: ({ id }) => id,
  name: ({ entry }) => `entry ${entry.seq}`,
  columns: [
    ageColumn({ title: 'ago', width: 6, rank: 0, saved: false }, ({ entry }) => entry.at),
    { title: 'at', width: 24, rank: 7, isWide: true, text: ({ entry }) => entry.at, isSearched: false },
    { title: 'who', width: 26, least: 12, rank: 2, text: ({ actor }) => actor },
    {
      title: 'did',
      width: 24,
      least: 14,
      rank: 1,
      text: ({ entry }) => operationWords(entry.operation),
      saved: ({ entry }) => entry.operation,
    },
    {
      title: 'kind',
      width: 17,
      least: 8,
      rank: 3,
      text: ({ entry }) => humanize(entry.object_kind),
      tone: () => 'quiet',
    },
    { title: 'what', width: 24, least: 10, rank: 1, isFlexible: true, text: ({ object }) => object },
    {
      title: 'number',
      width: 8,
      rank: 4,
      isWide: true,
      align: 'right',
      text: ({ id }) => id,
      order: ({ entry }) => entry.seq,
    },
    { title: 'request', width: 36, rank: 5, isWide: true, text: ({ entry }) => entry.request_id ?? '' },
    { title: 'id', width: 36, rank: 6, isWide: true, text: ({ entry }) => entry.object_id },
  ],
  fields: {
    who: ({ actor }) => actor,
    did: ({ entry }) => entry.operation,
    kind: ({ entry }) => entry.object_kind,
    what: ({ object }) => object,
    at: ({ entry }) => entry.at,
    id: ({ entry }) => entry.object_id,
  },
  open: openEntry,
  most: maxEntries,
  empty: { text: 'No changes yet.', next: 'Every change adds an entry.' },
}));

/** For users without access: shows this reason, before the service's message. */
function forbiddenAs<T>(text: string, source: Readable<Snapshot<T>>): Readable<Snapshot<T>> {
  return {
    subscribe: source.subscribe,
    get() {
      const { value, freshness } = source.get();
      if (freshness.kind !== 'failed' || freshness.failure.code !== 'forbidden') return { value, freshness };
      const { message, ...failure } = freshness.failure;
      return { value, freshness: { kind: 'failed', failure: { ...failure, message: text, hint: message } } };
    },
  };
}

/** Opens the entry's object if it has a screen; else shows the entry itself. */
export function openEntry(ui: Ui, row: ActivityRow): void {
  const place = placeOf(row);
  if (place) ui.views.go(place);
  else
    ui.overlay.set({ kind: 'text', title: `Entry ${row.id}`, text: safeJson(JSON.stringify(row.entry, undefined, 2)) });
}

export const activityScreen = tableScreen(
  {
    id: 'activity',
    title: 'Activity',
    tab: { digit: '9', name: 'Activity', short: 'Act' },
    wants: ({ data }) => [
      data.activity,
      data.robots,
      data.fleets,
      data.sites,
      data.releases,
      data.configs,
      data.users,
      data.keys,
    ],
  },
  activityTable,
);
