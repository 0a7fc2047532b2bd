import { deploymentWait } from '../../output/approval-text.ts';
import { endedOf, isTerminal, humanize } from '../../output/deployment-format.ts';
import { derivedOfBoth } from '../derived.ts';
import { ageColumn } from '../table/age-column.ts';
import type { TableColumn, TableDefinition } from '../table/definition.ts';
import { derivedRows, perUi } from '../table/derived-rows.ts';
import type { Ui } from '../ui.ts';
import {
  endedText,
  statusText,
  statusTone,
  targetNameOf,
  targetOf,
  whatOf,
  type ShownDeployment,
} from './deployment.ts';

const barWidth = 10;

export interface DeploymentRow {
  shown: ShownDeployment;
  what: string;
  target: string;
}

export const rowOf = (ui: Ui, shown: ShownDeployment): DeploymentRow => ({
  shown,
  what: whatOf(ui, shown),
  target: targetOf(ui, shown),
});

const failedOf = ({ deployment: { counts } }: ShownDeployment) => counts.failed + counts.rolled_back;

/** When it started, else when it is scheduled; undefined: as soon as possible. */
const beginsAt = ({ started_at: started, scheduled_at: scheduled }: ShownDeployment['deployment']) =>
  started ?? scheduled;

/** Times of a deployment, to the second. */
const instantColumns = (
  [
    ['Created at', 'created_at'],
    ['Scheduled for', 'scheduled_at'],
    ['Started at', 'started_at'],
    ['Ended at', 'ended_at'],
  ] as const
).map(([title, field]): TableColumn<DeploymentRow> => ({
  title,
  width: 24,
  rank: 4,
  isWide: true,
  text: ({ shown: { deployment } }) => deployment[field] ?? '',
  isSearched: false,
}));

/**
 * Why the service itself made it, one for each robot that joined a fleet; empty for deployments by people and programs.
 */
const causeOf = ({ deployment: { caused_by: cause } }: ShownDeployment) => (cause ? humanize(cause.kind) : '');

/** Deployments of releases and of configs in one list: active ones, then ended ones, each newest first. */
const deploymentRows = perUi((ui) => {
  const { data } = ui;
  const deployments = derivedOfBoth([data.deployments, data.configDeployments], (releases, configs) =>
    [
      ...(releases?.items ?? []).map((deployment): ShownDeployment => ({ deploymentKind: 'release', deployment })),
      ...(configs?.items ?? []).map((deployment): ShownDeployment => ({ deploymentKind: 'config', deployment })),
    ].sort(
      ({ deployment: a }, { deployment: b }) =>
        Number(isTerminal(a.status)) - Number(isTerminal(b.status)) ||
        Date.parse(b.created_at) - Date.parse(a.created_at),
    ),
  );
  return derivedRows(deployments, [data.releases, data.fleets, data.robots], (all) =>
    all.map((shown) => rowOf(ui, shown)),
  );
});

/** All deployments: Enter opens one. */
export function deploymentsTable(ui: Ui): TableDefinition<DeploymentRow> {
  const { data, theme } = ui;
  const { signs } = theme;
  return {
    noun: 'deployments',
    source: deploymentRows(ui),
    id: ({ shown: { deployment } }) => deployment.id,
    name: ({ what, target }) => `${what} for ${target}`,
    columns: [
      {
        title: 'Status',
        width: 14,
        least: 13, // in progress
        rank: 0,
        text: ({ shown: { deployment } }) => statusText(deployment.status, signs),
        saved: ({ shown: { deployment } }) => humanize(deployment.status),
        tone: ({ shown: { deployment } }) => statusTone(deployment.status),
      },
      {
        title: 'What',
        width: 26,
        least: 10,
        isFlexible: true,
        rank: 0,
        text: ({ shown, what }) => (causeOf(shown) === '' ? what : `${what} (${causeOf(shown)})`),
        saved: ({ what }) => what,
      },
      { title: 'For', width: 24, least: 10, text: ({ target }) => target },
      {
        title: 'Ended',
        width: barWidth + 12,
        least: 11,
        text: ({ shown }, cells) => endedText(shown, barWidth, signs, cells),
        saved: ({
          shown: {
            deployment: { counts },
          },
        }) => `${endedOf(counts)}/${counts.total}`,
        tone: ({ shown: { deployment } }) => statusTone(deployment.status),
        isSearched: false,
      },
      {
        title: 'Failed',
        width: 7,
        isWide: true,
        align: 'right',
        text: ({ shown }) => (failedOf(shown) === 0 ? '' : `${signs.degraded} ${failedOf(shown)}`),
        saved: ({ shown }) => String(failedOf(shown)),
        tone: () => 'bad',
        order: ({ shown }) => -failedOf(shown),
        isSearched: false,
      },
      {
        title: 'Waiting for',
        width: 44,
        least: 12,
        rank: 3,
        text: ({ shown: { deployment } }) => deploymentWait(deployment),
        isSearched: false,
      },
      { title: 'Kind', width: 8, isWide: true, text: ({ shown: { deploymentKind } }) => deploymentKind },
      { title: 'Cause', width: 8, rank: 2, isWide: true, text: ({ shown }) => causeOf(shown) },
      { title: 'Id', width: 36, isWide: true, text: ({ shown: { deployment } }) => deployment.id },
      ...instantColumns,
      ageColumn({ title: 'Begins', width: 7, rank: 1, saved: false }, ({ shown: { deployment } }) =>
        beginsAt(deployment),
      ),
      ageColumn(
        { title: 'Age', width: 6, rank: 3, saved: false },
        ({ shown: { deployment } }) => deployment.created_at,
      ),
    ],
    fields: {
      status: ({ shown: { deployment } }) => humanize(deployment.status),
      kind: ({ shown: { deploymentKind } }) => deploymentKind,
      for: ({ target }) => target,
      cause: ({ shown }) => causeOf(shown) || 'person',
      release: ({ shown, what }) => (shown.deploymentKind === 'release' ? what : ''),
    },
    open: (
      opening,
      {
        shown: {
          deploymentKind,
          deployment: { id },
        },
      },
    ) => opening.views.go({ screen: 'deployment', deployment: { deploymentKind, id } }),
    alongside: () => [data.releases, data.fleets, data.robots],
    empty: { text: 'No deployments yet.', next: 'Deploy a release (4) or a config entry (5).' },
  };
}

/** Active deployments, in few columns: those with failures first. */
export const runningTable = perUi((ui): TableDefinition<DeploymentRow> => {
  const all = deploymentsTable(ui);
  return {
    ...all,
    noun: 'active deployments',
    one: 'active deployment',
    source: derivedRows(deploymentRows(ui), [], (rows) =>
      rows
        .filter(({ shown: { deployment } }) => !isTerminal(deployment.status))
        .sort(({ shown: one }, { shown: other }) => failedOf(other) - failedOf(one)),
    ),
    // Failures stay visible in half a terminal too, with their fleet beside them: the bar makes room for both.
    columns: all.columns
      .filter(({ title }) => ['Status', 'What', 'For', 'Ended', 'Failed'].includes(title))
      .map((column) => ({
        ...column,
        isWide: false,
        rank: column.title === 'For' ? 1 : 0,
        ...(column.title === 'Ended' ? { least: 7 } : {}),
        ...(column.title === 'For' ? { least: 12, text: ({ shown }: DeploymentRow) => targetNameOf(ui, shown) } : {}),
      })),
    empty: { text: 'None.', next: '' },
  };
});

/** Failed robots of all active deployments. */
export const failedNow = (ui: Ui): number =>
  (runningTable(ui).source.get().value ?? []).reduce((sum, { shown }) => sum + failedOf(shown), 0);
