import { ageColumn } from '../table/age-column.ts';
import type { TableDefinition } from '../table/definition.ts';
import { perUi } from '../table/derived-rows.ts';
import type { Tone } from '../theme.ts';
import type { Ui } from '../ui.ts';
import { nextStep } from './next-step.ts';
import { siteRows, type SiteRow } from './site-rows.ts';
import { tableScreen } from './table-screen.tsx';

// A tree has one order: its own.
const isSortable = false;

const sitesTable = perUi((ui): TableDefinition<SiteRow> => ({
  noun: 'sites and fleets',
  one: 'site',
  source: siteRows(ui),
  id: ({ id }) => id,
  name: ({ name }) => name,
  depth: ({ kind }) => (kind === 'fleet' ? 1 : 0),
  columns: [
    {
      title: 'name',
      width: 30,
      least: 16,
      rank: 0,
      isFlexible: true,
      isSortable,
      text: ({ name }) => name,
      tone: ({ kind }) => (kind === 'site' ? 'strong' : undefined),
    },
    { title: 'kind', width: 5, rank: 3, isSortable, text: ({ kind }) => kind, tone: () => 'quiet' },
    { title: 'online', width: 15, rank: 1, align: 'right', isSortable, text: onlineOf, saved: ({ online, total }) => `${online}/${total}`, tone: onlineTone }, // prettier-ignore
    {
      title: 'degraded',
      width: 10,
      rank: 2,
      align: 'right',
      isSortable,
      text: ({ degraded }) => degradedOf(ui, degraded),
      saved: ({ degraded }) => String(degraded),
      tone: () => 'warn',
    },
    ageColumn({ title: 'made', width: 6, rank: 4, isSortable }, ({ createdAt }) => createdAt),
    { title: 'id', width: 36, rank: 5, isWide: true, isSortable, text: ({ id }) => id },
  ],
  fields: {
    name: ({ name }) => name,
    kind: ({ kind }) => kind,
    site: ({ site }) => site,
    online: ({ online }) => String(online),
    robots: ({ total }) => String(total),
    id: ({ id }) => id,
  },
  open: ({ views }, { filter }) => views.go({ screen: 'robots', filter }),
  empty: {
    text: 'No sites yet.',
    get next() {
      return nextStep(ui, 'N');
    },
  },
}));

/** As in `22/24`; empty while robots are not loaded. */
export function onlineOf({ online, total, isKnown }: SiteRow): string {
  if (!isKnown) return '';
  return total === 0 ? '-' : `${online.toLocaleString('en-US')}/${total.toLocaleString('en-US')}`;
}

export function onlineTone({ online, total }: SiteRow): Tone {
  if (total === 0) return 'quiet';
  return online === total ? 'good' : online === 0 ? 'bad' : 'warn';
}

const degradedOf = ({ theme }: Ui, degraded: number) =>
  degraded === 0 ? '' : `${theme.signs.degraded} ${degraded.toLocaleString('en-US')}`;

export const sitesScreen = tableScreen(
  {
    id: 'places',
    title: 'Sites and fleets',
    tab: { digit: '6', name: 'Sites', short: 'Sites' },
    wants: ({ data }) => [data.sites, data.fleets, data.robots],
  },
  sitesTable,
);
