import { endedOf, isTerminal, percentOf, spoken, waitOf } from '../../output/deployment-words.ts';
import type { DeploymentEvent, DeploymentTarget, Face } from '../../stores/data.ts';
import { maxEntries } from '../../stores/entries.ts';
import { age } from '../components/age.ts';
import { derivedOfBoth } from '../derived.ts';
import { perView } from '../per-view.ts';
import type { AnyTable, TableColumn, TableDefinition } from '../table/definition.ts';
import { listed, onePerUi } from '../table/listed.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { orderTabOf } from './head.ts';
import { endedText, statusText, statusTone, targetOf, whatOf, type Order } from './order.ts';

const barWidth = 10;

interface OrderRow {
  order: Order;
  what: string;
  target: string;
}

const failedOf = ({ deployment: { counts } }: Order) => counts.failed + counts.rolled_back;

/** When it began, else when it is due; undefined: as soon as it can. */
const beginsAt = ({ started_at: started, scheduled_at: scheduled }: Order['deployment']) => started ?? scheduled;

/** The times of an order to the second. */
const instantColumns = (
  [
    ['Ordered at', 'created_at'],
    ['Due at', 'scheduled_at'],
    ['Began at', 'started_at'],
    ['Ended at', 'ended_at'],
  ] as const
).map(([title, field]): TableColumn<OrderRow> => ({
  title,
  width: 24,
  rank: 4,
  isWide: true,
  text: ({ order: { deployment } }) => deployment[field] ?? '',
  isSearched: false,
}));

/** Why the service itself made it, one for each robot that came to a fleet; empty for orders of people and programs. */
const causeOf = ({ deployment: { caused_by: cause } }: Order) => (cause ? spoken(cause.kind) : '');

/** Orders of releases and of configs in one list: those that go on, then those that ended, each the newest first. */
const orderRows = onePerUi((ui) => {
  const { data } = ui;
  const orders = derivedOfBoth([data.deployments, data.configDeployments], (releases, configs) =>
    [
      ...(releases?.items ?? []).map((deployment): Order => ({ face: 'release', deployment })),
      ...(configs?.items ?? []).map((deployment): Order => ({ face: 'config', deployment })),
    ].sort(
      ({ deployment: a }, { deployment: b }) =>
        Number(isTerminal(a.status)) - Number(isTerminal(b.status)) ||
        Date.parse(b.created_at) - Date.parse(a.created_at),
    ),
  );
  return listed(orders, [data.releases, data.fleets, data.robots], (all): OrderRow[] =>
    all.map((order) => ({ order, what: whatOf(ui, order), target: targetOf(ui, order) })),
  );
});

function ordersTable(ui: Ui): TableDefinition<OrderRow> {
  const { data, theme } = ui;
  const { signs } = theme;
  return {
    noun: 'deployments',
    source: orderRows(ui),
    id: ({ order: { deployment } }) => deployment.id,
    name: ({ what, target }) => `${what} for ${target}`,
    columns: [
      {
        title: 'Status',
        width: 14,
        least: 8,
        rank: 0,
        text: ({ order: { deployment } }) => statusText(deployment.status, signs),
        saved: ({ order: { deployment } }) => spoken(deployment.status),
        tone: ({ order: { deployment } }) => statusTone(deployment.status),
      },
      {
        title: 'What',
        width: 26,
        least: 10,
        isFlexible: true,
        rank: 0,
        text: ({ order, what }) => (causeOf(order) === '' ? what : `${what} (${causeOf(order)})`),
        saved: ({ what }) => what,
      },
      { title: 'For', width: 24, least: 10, text: ({ target }) => target },
      {
        title: 'Ended',
        width: barWidth + 12,
        least: 11,
        text: ({ order }, cells) => endedText(order, barWidth, signs, cells),
        saved: ({
          order: {
            deployment: { counts },
          },
        }) => `${endedOf(counts)}/${counts.total}`,
        tone: ({ order: { deployment } }) => statusTone(deployment.status),
        isSearched: false,
      },
      {
        title: 'Failed',
        width: 7,
        isWide: true,
        align: 'right',
        text: ({ order }) => (failedOf(order) === 0 ? '' : `${signs.degraded} ${failedOf(order)}`),
        saved: ({ order }) => String(failedOf(order)),
        tone: () => 'bad',
        order: ({ order }) => -failedOf(order),
        isSearched: false,
      },
      {
        title: 'Waits for',
        width: 44,
        least: 12,
        rank: 3,
        text: ({
          order: {
            deployment: { waiting_on: wait },
          },
        }) => (wait ? waitOf(wait) : ''),
        isSearched: false,
      },
      { title: 'Kind', width: 8, isWide: true, text: ({ order: { face } }) => face },
      { title: 'Cause', width: 8, rank: 2, isWide: true, text: ({ order }) => causeOf(order) },
      { title: 'Id', width: 36, isWide: true, text: ({ order: { deployment } }) => deployment.id },
      ...instantColumns,
      {
        title: 'Begins',
        width: 7,
        rank: 1,
        align: 'right',
        text: ({ order: { deployment } }) => age(beginsAt(deployment)),
        saved: false,
        order: ({ order: { deployment } }) => -Date.parse(beginsAt(deployment) ?? ''),
        isSearched: false,
      },
      {
        title: 'Age',
        width: 6,
        rank: 3,
        align: 'right',
        text: ({ order: { deployment } }) => age(deployment.created_at),
        saved: false,
        order: ({ order: { deployment } }) => -Date.parse(deployment.created_at),
        isSearched: false,
      },
    ],
    fields: {
      status: ({ order: { deployment } }) => spoken(deployment.status),
      kind: ({ order: { face } }) => face,
      for: ({ target }) => target,
      cause: ({ order }) => causeOf(order) || 'person',
      release: ({ order, what }) => (order.face === 'release' ? what : ''),
    },
    open: (
      opening,
      {
        order: {
          face,
          deployment: { id },
        },
      },
    ) => opening.views.go({ screen: 'deployment', deployment: { face, id } }),
    alongside: () => [data.releases, data.fleets, data.robots],
    empty: { text: 'Nothing was ordered yet.', next: 'Releases (4) and configs (5) can be deployed from there.' },
  };
}

/** Those that go on, in few columns: what fails comes first. */
export const runningTable = onePerUi((ui): TableDefinition<OrderRow> => {
  const all = ordersTable(ui);
  return {
    ...all,
    noun: 'deployments that go on',
    one: 'deployment that goes on',
    source: listed(orderRows(ui), [], (rows) =>
      rows
        .filter(({ order: { deployment } }) => !isTerminal(deployment.status))
        .sort(({ order: one }, { order: other }) => failedOf(other) - failedOf(one)),
    ),
    // What failed stays in sight in half a terminal too.
    columns: all.columns
      .filter(({ title }) => ['Status', 'What', 'For', 'Ended', 'Failed'].includes(title))
      .map((column) => ({ ...column, isWide: false, rank: column.title === 'For' ? 1 : 0 })),
    empty: { text: 'None.', next: '' },
  };
});

/** Robots on which what goes on failed, of all those orders. */
export const failedNow = (ui: Ui): number =>
  (runningTable(ui).source.get().value ?? []).reduce((sum, { order }) => sum + failedOf(order), 0);

const robotName = ({ data }: Ui, id: string) => data.robots.get().value?.byId.get(id)?.name ?? id;

interface TargetRow {
  target: DeploymentTarget;
  robot: string;
}

/** The robots of an order: Enter goes to one. */
function targetsTable(ui: Ui, face: Face, id: string): TableDefinition<TargetRow> {
  const { data, theme } = ui;
  return {
    noun: 'robots',
    source: listed(data.targets(face, id), [data.robots], (targets) =>
      targets.map((target) => ({ target, robot: robotName(ui, target.robot_id) })),
    ),
    id: ({ target }) => target.robot_id,
    name: ({ robot }) => robot,
    columns: [
      { title: 'Robot', width: 22, least: 10, rank: 0, text: ({ robot }) => robot },
      {
        title: 'Status',
        width: 14,
        least: 8,
        rank: 0,
        text: ({ target: { status } }) => statusText(status, theme.signs),
        saved: ({ target: { status } }) => spoken(status),
        tone: ({ target: { status } }) => statusTone(status),
      },
      { title: 'Reason', width: 20, least: 8, text: ({ target: { reason = '' } }) => spoken(reason) },
      {
        title: 'Says, or waits for',
        width: 40,
        least: 12,
        isFlexible: true,
        text: ({ target }) => saidOf(target),
      },
      {
        title: 'Since',
        width: 6,
        align: 'right',
        text: ({ target: { updated_at: at } }) => age(at),
        saved: ({ target: { updated_at: at } }) => at,
        order: ({ target: { updated_at: at } }) => at,
        isSearched: false,
      },
    ],
    fields: {
      status: ({ target: { status } }) => spoken(status),
      reason: ({ target: { reason = '' } }) => spoken(reason),
    },
    open: (opening, { target: { robot_id: robotId } }) => opening.views.go({ screen: 'robot', robotId }),
    alongside: () => [data.robots],
    empty: { text: 'No robots yet.', next: 'They are fixed when the deployment begins.' },
  };
}

const saidOf = (target: DeploymentTarget) =>
  [percentOf(target), target.message ?? '', target.waiting_on ? waitOf(target.waiting_on) : '']
    .filter((text) => text !== '')
    .join('  ');

interface EventRow {
  event: DeploymentEvent;
  /** Empty where it is of no robot. */
  robot: string;
}

/** What happened to an order, the newest first: Enter goes to the robot, or shows what it said. */
function eventsTable(ui: Ui, face: Face, id: string): TableDefinition<EventRow> {
  const { data, theme } = ui;
  return {
    noun: 'events',
    source: listed(data.events(face, id), [data.robots], (events) =>
      events
        .map((event) => ({ event, robot: event.robot_id === undefined ? '' : robotName(ui, event.robot_id) }))
        .reverse(),
    ),
    id: ({ event: { seq } }) => String(seq),
    name: ({ event: { seq } }) => `event ${seq}`,
    columns: [
      {
        title: 'When',
        width: 6,
        rank: 0,
        text: ({ event: { at } }) => age(at),
        saved: false,
        order: ({ event: { at } }) => at,
        isSearched: false,
      },
      {
        title: 'Status',
        width: 16,
        least: 8,
        rank: 0,
        text: ({ event: { status, target_status: own } }) => statusText(own ?? status, theme.signs),
        saved: ({ event: { status, target_status: own } }) => spoken(own ?? status),
        tone: ({ event: { status, target_status: own } }) => statusTone(own ?? status),
      },
      {
        title: 'Robot',
        width: 22,
        least: 10,
        text: ({ robot }) => robot,
      },
      {
        title: 'Why',
        width: 40,
        least: 10,
        isFlexible: true,
        text: ({ event: { reason = '', message = '' } }) => [spoken(reason), message].join('  ').trim(),
      },
      { title: 'At', width: 24, isWide: true, text: ({ event: { at } }) => at },
    ],
    fields: {
      status: ({ event: { status, target_status: own } }) => spoken(own ?? status),
      reason: ({ event: { reason = '' } }) => reason,
    },
    open(opening, { event: { robot_id: robotId, message } }) {
      if (message !== undefined) opening.overlay.set({ kind: 'text', title: 'What the robot said', text: message });
      else if (robotId !== undefined) opening.views.go({ screen: 'robot', robotId });
    },
    alongside: () => [data.robots],
    most: maxEntries,
    empty: { text: 'No events yet.', next: 'The first comes when it is ordered.' },
  };
}

const kept = perView(() => new Map<string, AnyTable>());

/** The list that a view of deployments is, or its shown tab; the same as long as it is about the same. */
export function deploymentTable(ui: Ui, view: View): AnyTable | undefined {
  const tables = kept(ui, view.key);
  const { screen, deployment } = view.place;
  const tab = screen === 'deployments' ? 'All' : orderTabOf(view);
  const made = tables.get(tab) ?? make(ui, tab, deployment);
  if (made) tables.set(tab, made);
  return made;
}

function make(ui: Ui, tab: string, deployment: { face: Face; id: string } | undefined): AnyTable | undefined {
  if (tab === 'All') return ordersTable(ui);
  if (!deployment || tab === 'Grid') return undefined;
  return (tab === 'Robots' ? targetsTable : eventsTable)(ui, deployment.face, deployment.id);
}
