import type { EnrollmentKey } from '../data/data.ts';
import { ageColumn } from '../table/age-column.ts';
import type { TableDefinition } from '../table/definition.ts';
import { derivedRows, perUi } from '../table/derived-rows.ts';
import type { Tone } from '../theme.ts';
import { credentialName, endOf, expiresColumn } from './credentials.ts';
import { nextStep } from './next-step.ts';
import { nameIn } from './robot-rows.ts';
import { tableScreen } from './table-screen.tsx';

interface KeyRow {
  key: EnrollmentKey;
  fleet: string;
  site: string;
}

type KeyState = 'usable' | 'used up' | 'expired' | 'revoked';

const stateTones: Readonly<Record<KeyState, Tone>> = {
  usable: 'good',
  'used up': 'quiet',
  expired: 'quiet',
  revoked: 'bad',
};

const keysTable = perUi((ui): TableDefinition<KeyRow> => ({
  noun: 'enrollment keys',
  source: derivedRows(ui.data.keys, [ui.data.fleets, ui.data.sites], ({ items }) => {
    const [fleets, sites] = [ui.data.fleets.get().value, ui.data.sites.get().value];
    return items.map((key) => ({ key, fleet: nameIn(fleets, key.fleet_id), site: nameIn(sites, key.site_id) }));
  }),
  id: ({ key }) => key.id,
  name: labelOf,
  columns: [
    { title: 'label', width: 24, least: 12, rank: 0, isFlexible: true, text: labelOf },
    { title: 'state', width: 8, rank: 1, text: stateOf, tone: (row) => stateTones[stateOf(row)], isSearched: false },
    { title: 'fleet', width: 18, least: 10, rank: 2, text: ({ fleet }) => fleet },
    { title: 'site', width: 18, least: 10, rank: 5, text: ({ site }) => site },
    {
      title: 'used',
      width: 9,
      rank: 1,
      align: 'right',
      text: ({ key }) => `${key.uses}/${key.max_uses ?? 'any'}`,
      order: ({ key }) => key.uses,
    },
    expiresColumn(3, ({ key }) => key),
    ageColumn({ title: 'revoked', width: 8, rank: 4 }, ({ key }) => key.revoked_at),
    ageColumn({ title: 'last used', width: 9, rank: 6, isWide: true }, ({ key }) => key.last_used_at),
    { title: 'last four', width: 9, rank: 7, isWide: true, text: ({ key }) => key.last_four },
    { title: 'id', width: 36, rank: 8, isWide: true, text: ({ key }) => key.id },
  ],
  fields: {
    label: labelOf,
    state: stateOf,
    fleet: ({ fleet }) => fleet,
    site: ({ site }) => site,
    used: ({ key }) => String(key.uses),
    id: ({ key }) => key.id,
  },
  open: ({ views }, { key }) => views.go({ screen: 'activity', filter: key.id }),
  empty: {
    text: 'No enrollment keys yet.',
    get next() {
      return nextStep(ui, 'n');
    },
  },
}));

function labelOf({ key }: KeyRow): string {
  return credentialName(key);
}

function stateOf({ key }: KeyRow): KeyState {
  return endOf(key) ?? (key.max_uses !== undefined && key.uses >= key.max_uses ? 'used up' : 'usable');
}

export const keysScreen = tableScreen(
  {
    id: 'keys',
    title: 'Enrollment keys',
    tab: { digit: '7', name: 'Keys', short: 'Keys' },
    wants: ({ data }) => [data.keys, data.fleets, data.sites],
  },
  keysTable,
);
