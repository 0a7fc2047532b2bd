import { percentOf, humanize, robotWaitOf } from '../../output/deployment-format.ts';
import type { DeploymentEvent, DeploymentTarget, DeploymentKind } from '../data/data.ts';
import { maxEntries } from '../data/entries.ts';
import { age } from '../components/age.ts';
import { foundAnew } from '../derived.ts';
import { perView } from '../per-view.ts';
import type { AnyTable, TableDefinition } from '../table/definition.ts';
import { derivedRows } from '../table/derived-rows.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { deploymentTabOf } from './header.ts';
import { statusText, statusTone } from './deployment.ts';
import { failedFirst } from './failures.ts';
import { deploymentsTable } from './deployments-table.ts';
import { relatedTable } from './related.ts';

const robotName = ({ data }: Ui, id: string) => data.robots.get().value?.byId.get(id)?.name ?? id;

interface TargetRow {
  target: DeploymentTarget;
  robot: string;
}

/** The robots of a deployment, failed ones first: Enter opens one. */
function targetsTable(ui: Ui, deploymentKind: DeploymentKind, id: string): TableDefinition<TargetRow> {
  const { data, theme } = ui;
  return {
    noun: 'robots',
    source: derivedRows(
      foundAnew(() => data.targets(deploymentKind, id)),
      [data.robots],
      (targets) => failedFirst(targets).map((target) => ({ target, robot: robotName(ui, target.robot_id) })),
    ),
    id: ({ target }) => target.robot_id,
    name: ({ robot }) => robot,
    columns: [
      { title: 'Robot', width: 22, least: 10, rank: 0, text: ({ robot }) => robot },
      {
        title: 'Status',
        width: 14,
        least: 13, // rolled back
        rank: 0,
        text: ({ target: { status } }) => statusText(status, theme.signs),
        saved: ({ target: { status } }) => humanize(status),
        tone: ({ target: { status } }) => statusTone(status),
      },
      {
        title: 'Wave',
        width: 4,
        align: 'right',
        isWide: true,
        text: ({ target: { wave } }) => (wave ? String(wave) : ''),
      },
      { title: 'Reason', width: 20, least: 10, text: ({ target: { reason = '' } }) => humanize(reason) },
      {
        title: 'Message or wait',
        width: 40,
        least: 24,
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
      status: ({ target: { status } }) => humanize(status),
      reason: ({ target: { reason = '' } }) => humanize(reason),
    },
    open: (opening, { target: { robot_id: robotId } }) => opening.views.go({ screen: 'robot', robotId }),
    alongside: () => [data.robots],
    empty: { text: 'No robots yet.', next: 'They are selected when the deployment starts.' },
  };
}

const saidOf = (target: DeploymentTarget) =>
  [percentOf(target), target.message ?? '', robotWaitOf(target)].filter((text) => text !== '').join('  ');

interface EventRow {
  event: DeploymentEvent;
  /** Empty: the event is not about a robot. */
  robot: string;
}

/** Events of a deployment, newest first: Enter shows the robot's message, or opens the robot. */
function eventsTable(ui: Ui, deploymentKind: DeploymentKind, id: string): TableDefinition<EventRow> {
  const { data, theme } = ui;
  return {
    noun: 'events',
    source: derivedRows(
      foundAnew(() => data.events(deploymentKind, id)),
      [data.robots],
      (events) =>
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
        saved: ({ event: { status, target_status: own } }) => humanize(own ?? status),
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
        text: ({ event: { reason = '', message = '' } }) => [humanize(reason), message].join('  ').trim(),
      },
      { title: 'At', width: 24, isWide: true, text: ({ event: { at } }) => at },
    ],
    fields: {
      status: ({ event: { status, target_status: own } }) => humanize(own ?? status),
      reason: ({ event: { reason = '' } }) => reason,
    },
    open(opening, { event: { robot_id: robotId, message } }) {
      if (message !== undefined) opening.overlay.set({ kind: 'text', title: 'Message from the robot', text: message });
      else if (robotId !== undefined) opening.views.go({ screen: 'robot', robotId });
    },
    alongside: () => [data.robots],
    most: maxEntries,
    empty: { text: 'No events yet.', next: 'The first event is its creation.' },
  };
}

const kept = perView(() => new Map<string, AnyTable>());

/** The list of a view of deployments, or of its selected tab; the same object for the same deployment. */
export function deploymentTable(ui: Ui, view: View): AnyTable | undefined {
  const tables = kept(ui, view.key);
  const { screen, deployment } = view.place;
  const tab = screen === 'deployments' ? 'All' : deploymentTabOf(view);
  const made = tables.get(tab) ?? make(ui, tab, deployment);
  if (made) tables.set(tab, made);
  return made;
}

function make(
  ui: Ui,
  tab: string,
  deployment: { deploymentKind: DeploymentKind; id: string } | undefined,
): AnyTable | undefined {
  if (tab === 'All') return deploymentsTable(ui);
  if (!deployment || tab === 'Grid') return undefined;
  if (tab === 'Related') return relatedTable(ui, deployment.deploymentKind, deployment.id);
  return (tab === 'Robots' ? targetsTable : eventsTable)(ui, deployment.deploymentKind, deployment.id);
}
