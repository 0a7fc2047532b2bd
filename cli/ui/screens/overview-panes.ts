import { runningTable } from '../deployment/deployments-table.ts';
import type { AnyTable, TableDefinition } from '../table/definition.ts';
import { derivedRows, perUi } from '../table/derived-rows.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { activityTable } from './activity.tsx';
import { nextStep } from './next-step.ts';
import { siteRows, type SiteRow } from './site-rows.ts';
import { degradedOf, onlineOf, onlineTone } from './sites.tsx';
import { robotRows, type RobotRow } from './robot-rows.ts';
import { robotsTable } from './robots.tsx';

/** The lists of the overview; one of them has the keys. */
export const panes = ['Sites', 'Active deployments', 'Unhealthy robots', 'Recent changes'] as const;
export type Pane = (typeof panes)[number];

export const paneOf = ({ tab }: Pick<View, 'tab'>): Pane => panes.find((each) => each === tab) ?? 'Sites';

const sitesTable = perUi((ui): TableDefinition<SiteRow> => ({
  noun: 'sites',
  source: derivedRows(siteRows(ui), [], (rows) => rows.filter(({ kind }) => kind === 'site')),
  id: ({ id }) => id,
  name: ({ name }) => name,
  columns: [
    { title: 'site', width: 20, least: 12, rank: 0, isFlexible: true, text: ({ name }) => name },
    {
      title: 'online',
      width: 13,
      rank: 1,
      align: 'right',
      text: onlineOf,
      saved: ({ online, total }) => `${online}/${total}`,
      tone: onlineTone,
      order: ({ online, total }) => total - online,
    },
    {
      title: 'degraded',
      width: 8,
      rank: 2,
      align: 'right',
      text: ({ degraded }) => degradedOf(ui, degraded),
      saved: ({ degraded }) => String(degraded),
      tone: () => 'warn',
      order: ({ degraded }) => -degraded,
    },
  ],
  fields: { site: ({ name }) => name, online: ({ online }) => String(online) },
  open: ({ views }, { filter }) => views.go({ screen: 'robots', filter }),
  empty: {
    text: 'No sites yet.',
    get next() {
      return `On 6: ${nextStep(ui, 'N')}`;
    },
  },
}));

/** The most recently seen come first. */
const failingTable = perUi((ui): TableDefinition<RobotRow> => {
  const all = robotsTable(ui);
  const seen = ({ robot }: RobotRow) => robot.last_seen_at ?? '';
  return {
    ...all,
    source: derivedRows(robotRows(ui), [], (rows) =>
      rows
        .filter(({ state }) => state === 'degraded' || state === 'offline')
        .sort((one, other) => (seen(one) < seen(other) ? 1 : seen(one) > seen(other) ? -1 : 0)),
    ),
    columns: all.columns.filter(({ title }) => ['name', 'state', 'fleet', 'seen'].includes(title)),
    empty: { text: 'None.', next: '' },
  };
});

/** In half a terminal, so that most names of objects fit. */
const changesWidths: Readonly<Record<string, { width: number; least: number }>> = {
  who: { width: 12, least: 8 },
  did: { width: 20, least: 17 },
};

const changesTable = perUi((ui) => {
  const all = activityTable(ui);
  return {
    ...all,
    noun: 'changes',
    one: 'change',
    columns: all.columns
      .filter(({ title }) => ['ago', 'did', 'what', 'who'].includes(title))
      .map((column) => ({ ...column, ...(changesWidths[column.title] ?? {}) })),
  };
});

const tables: Readonly<Record<Pane, (ui: Ui) => AnyTable>> = {
  Sites: sitesTable,
  'Active deployments': runningTable,
  'Unhealthy robots': failingTable,
  'Recent changes': changesTable,
};

export const paneTable = (ui: Ui, pane: Pane): AnyTable => tables[pane](ui);
