import { runningTable } from '../deployment/deployments-table.ts';
import { ageColumn } from '../table/age-column.ts';
import type { AnyTable, TableColumn, TableDefinition } from '../table/definition.ts';
import { derivedRows, perUi } from '../table/derived-rows.ts';
import { exactly } from '../table/filter-words.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { openEntry } from './activity.tsx';
import { conditionCounts, severityTone, type ConditionCount } from './condition-counts.ts';
import { eventRows, type EventRow } from './event-rows.ts';
import { fleetRows, healthBar, healthTones, notHealthy, type FleetRow } from './fleet-rows.ts';
import { nextStep } from './next-step.ts';
import { reasonOf, robotRows, type RobotRow } from './robot-rows.ts';
import { robotsTable } from './robots.tsx';
import { onlineOf, onlineTone } from './sites.tsx';

/** The lists of the overview; one of them has the keys. */
export const panes = ['Fleets', 'Active deployments', 'Unhealthy robots', 'Conditions', 'Recent events'] as const;
export type Pane = (typeof panes)[number];

export const paneOf = ({ tab }: Pick<View, 'tab'>): Pane => panes.find((each) => each === tab) ?? 'Fleets';

const fleetsTable = perUi((ui): TableDefinition<FleetRow> => {
  const { signs } = ui.theme;
  return {
    noun: 'fleets',
    source: fleetRows(ui),
    id: ({ id }) => id,
    name: ({ label }) => label,
    columns: [
      { title: 'fleet', width: 18, least: 12, rank: 0, isFlexible: true, text: ({ label }) => label },
      {
        title: 'health',
        width: 24,
        least: 8,
        rank: 2,
        isSearched: false,
        isSortable: false,
        saved: false,
        text: () => '',
        pieces: (row, cells) => healthBar(row, cells, signs),
      },
      {
        title: 'online',
        width: 11,
        rank: 1,
        align: 'right',
        isSearched: false,
        text: (row, cells = 11) => {
          const text = onlineOf(row);
          return text.length > cells ? text.replaceAll(',', '') : text;
        },
        saved: ({ online, total }) => `${online}/${total}`,
        tone: onlineTone,
        order: ({ online, total }) => online - total,
      },
      {
        title: 'not healthy',
        width: 18,
        least: 14,
        rank: 0,
        isSearched: false,
        text: (row) => notHealthy(row, signs).map(({ text }) => text).join(''), // prettier-ignore
        pieces: (row) => notHealthy(row, signs),
        saved: ({ health }) => String(health.unhealthy + health.degraded + health.unknown),
        order: ({ health }) => -(health.unhealthy * 1e12 + health.degraded * 1e6 + health.unknown),
      },
    ],
    fields: {
      fleet: ({ name }) => name,
      site: ({ site }) => site,
      online: ({ online }) => String(online),
      robots: ({ total }) => String(total),
      unhealthy: ({ health }) => String(health.unhealthy),
      degraded: ({ health }) => String(health.degraded),
      unknown: ({ health }) => String(health.unknown),
    },
    open: ({ views }, { filter }) => views.go({ screen: 'robots', filter }),
    empty: {
      text: 'No fleets yet.',
      get next() {
        return `On 6: ${nextStep(ui, 'n')}`;
      },
    },
  };
});

/** In half a terminal, so that reasons can be read. */
const failingWidths: Readonly<Record<string, Partial<TableColumn<RobotRow>>>> = {
  name: { width: 16, least: 12 },
  state: { width: 12 },
  fleet: { width: 14, least: 10, isWide: true },
  seen: { width: 4, rank: 1 },
};

/** Unhealthy robots first, then degraded, then other offline ones; of each, the newest problem comes first. */
const failingTable = perUi((ui): TableDefinition<RobotRow> => {
  const all = robotsTable(ui);
  const ranks = { unhealthy: 0, degraded: 1, healthy: 2, unknown: 2 };
  // Online robots are seen all the time: their rows would never rest.
  const since = ({ robot }: RobotRow) => robot.health_since ?? (robot.online ? '' : (robot.last_seen_at ?? ''));
  const reason = {
    title: 'reason',
    width: 24,
    least: 16,
    rank: 2,
    isFlexible: true,
    text: ({ robot }: RobotRow) => reasonOf(robot),
    tone: ({ health }: RobotRow) => (health === 'unhealthy' || health === 'degraded' ? healthTones[health] : undefined),
  };
  return {
    ...all,
    source: derivedRows(robotRows(ui), [], (rows) =>
      rows
        .filter(({ state, health }) => state === 'offline' || health === 'degraded' || health === 'unhealthy')
        .map((row) => ({ row, rank: ranks[row.health], since: since(row) }))
        .sort((one, other) => one.rank - other.rank || (one.since < other.since ? 1 : one.since > other.since ? -1 : 0))
        .map(({ row }) => row),
    ),
    columns: ['name', 'state', 'reason', 'fleet', 'seen'].flatMap((title) => {
      const column = title === 'reason' ? reason : all.columns.find((each) => each.title === title);
      if (!column) return [];
      return [{ ...column, ...failingWidths[title] }];
    }),
    empty: { text: 'None.', next: '' },
  };
});

const conditionsTable = perUi((ui): TableDefinition<ConditionCount> => {
  const { signs } = ui.theme;
  return {
    noun: 'conditions',
    source: conditionCounts(ui),
    id: ({ name }) => name,
    name: ({ name }) => name,
    columns: [
      {
        title: 'severity',
        width: 11,
        least: 1,
        rank: 1,
        text: ({ severity }, cells = 11) => {
          const sign = severity === 'unhealthy' ? signs.unhealthy : signs.degraded;
          return cells < severity.length + 2 ? sign : `${sign} ${severity}`;
        },
        saved: ({ severity }) => severity,
        tone: ({ severity }) => severityTone(severity),
      },
      { title: 'condition', width: 20, least: 10, rank: 0, isFlexible: true, text: ({ name }) => name },
      {
        title: 'robots',
        width: 7,
        rank: 0,
        align: 'right',
        isSearched: false,
        text: ({ robots }) => robots.toLocaleString('en-US'),
        saved: ({ robots }) => String(robots),
        order: ({ robots }) => -robots,
      },
      {
        title: 'silenced',
        width: 8,
        rank: 3,
        isWide: true,
        align: 'right',
        isSearched: false,
        text: ({ silenced }) => (silenced === 0 ? '' : silenced.toLocaleString('en-US')),
        saved: ({ silenced }) => String(silenced),
        tone: () => 'quiet',
        order: ({ silenced }) => -silenced,
      },
      ageColumn({ title: 'newest', width: 6, rank: 2 }, ({ newest }) => newest),
    ],
    fields: {},
    open: ({ views }, { name }) => views.go({ screen: 'robots', filter: exactly('condition', name) }),
    empty: { text: 'None.', next: '' },
  };
});

const eventsTable = perUi((ui): TableDefinition<EventRow> => ({
  noun: 'events',
  source: eventRows(ui),
  id: ({ id }) => id,
  name: ({ event, what }) => `${event} ${what}`,
  columns: [
    ageColumn({ title: 'ago', width: 4, rank: 0, saved: false }, ({ at }) => at),
    { title: 'at', width: 24, rank: 7, isWide: true, text: ({ at }) => at, isSearched: false },
    {
      title: 'event',
      width: 22,
      least: 20,
      rank: 0,
      text: ({ sign, event }) => `${sign === undefined ? ' ' : ui.theme.signs[sign]} ${event}`,
      saved: ({ event }) => event,
      tone: ({ tone }) => tone,
    },
    { title: 'what', width: 32, least: 12, rank: 1, text: ({ what }) => what },
    { title: 'detail', width: 16, least: 16, rank: 2, isFlexible: true, text: ({ detail }) => detail },
  ],
  fields: {},
  open: (opening, { place, entry }) => (place ? opening.views.go(place) : entry && openEntry(opening, entry)),
  empty: { text: 'Nothing yet.', next: '' },
}));

const tables: Readonly<Record<Pane, (ui: Ui) => AnyTable>> = {
  Fleets: fleetsTable,
  'Active deployments': runningTable,
  'Unhealthy robots': failingTable,
  Conditions: conditionsTable,
  'Recent events': eventsTable,
};

export const paneTable = (ui: Ui, pane: Pane): AnyTable => tables[pane](ui);
