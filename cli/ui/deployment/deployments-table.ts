import { endedOf, isTerminal, spoken, waitOf } from '../../output/deployment-words.ts';
import { age } from '../components/age.ts';
import { derivedOfBoth } from '../derived.ts';
import type { TableColumn, TableDefinition } from '../table/definition.ts';
import { listed, onePerUi } from '../table/listed.ts';
import type { Ui } from '../ui.ts';
import { endedText, statusText, statusTone, targetOf, whatOf, type ShownDeployment } from './deployment.ts';

const barWidth = 10;

interface DeploymentRow {
  order: ShownDeployment;
  what: string;
  target: string;
}

const failedOf = ({ deployment: { counts } }: ShownDeployment) => counts.failed + counts.rolled_back;

/** When it began, else when it is due; undefined: as soon as it can. */
const beginsAt = ({ started_at: started, scheduled_at: scheduled }: ShownDeployment['deployment']) =>
  started ?? scheduled;

/** The times of an order to the second. */
const instantColumns = (
  [
    ['Ordered at', 'created_at'],
    ['Due at', 'scheduled_at'],
    ['Began at', 'started_at'],
    ['Ended at', 'ended_at'],
  ] as const
).map(([title, field]): TableColumn<DeploymentRow> => ({
  title,
  width: 24,
  rank: 4,
  isWide: true,
  text: ({ order: { deployment } }) => deployment[field] ?? '',
  isSearched: false,
}));

/** Why the service itself made it, one for each robot that came to a fleet; empty for orders of people and programs. */
const causeOf = ({ deployment: { caused_by: cause } }: ShownDeployment) => (cause ? spoken(cause.kind) : '');

/** Orders of releases and of configs in one list: those that go on, then those that ended, each the newest first. */
const orderRows = onePerUi((ui) => {
  const { data } = ui;
  const orders = derivedOfBoth([data.deployments, data.configDeployments], (releases, configs) =>
    [
      ...(releases?.items ?? []).map((deployment): ShownDeployment => ({ face: 'release', deployment })),
      ...(configs?.items ?? []).map((deployment): ShownDeployment => ({ face: 'config', deployment })),
    ].sort(
      ({ deployment: a }, { deployment: b }) =>
        Number(isTerminal(a.status)) - Number(isTerminal(b.status)) ||
        Date.parse(b.created_at) - Date.parse(a.created_at),
    ),
  );
  return listed(orders, [data.releases, data.fleets, data.robots], (all): DeploymentRow[] =>
    all.map((order) => ({ order, what: whatOf(ui, order), target: targetOf(ui, order) })),
  );
});

/** All orders: Enter goes to one. */
export function deploymentsTable(ui: Ui): TableDefinition<DeploymentRow> {
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
        least: 13, // in progress
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
export const runningTable = onePerUi((ui): TableDefinition<DeploymentRow> => {
  const all = deploymentsTable(ui);
  return {
    ...all,
    noun: 'deployments that go on',
    one: 'deployment that goes on',
    source: listed(orderRows(ui), [], (rows) =>
      rows
        .filter(({ order: { deployment } }) => !isTerminal(deployment.status))
        .sort(({ order: one }, { order: other }) => failedOf(other) - failedOf(one)),
    ),
    // What failed stays in sight in half a terminal too, and beside it which fleet it is: the bar makes room for both.
    columns: all.columns
      .filter(({ title }) => ['Status', 'What', 'For', 'Ended', 'Failed'].includes(title))
      .map((column) => ({
        ...column,
        isWide: false,
        rank: column.title === 'For' ? 1 : 0,
        ...(column.title === 'Ended' ? { least: 7 } : {}),
      })),
    empty: { text: 'None.', next: '' },
  };
});

/** Robots on which what goes on failed, of all those orders. */
export const failedNow = (ui: Ui): number =>
  (runningTable(ui).source.get().value ?? []).reduce((sum, { order }) => sum + failedOf(order), 0);
