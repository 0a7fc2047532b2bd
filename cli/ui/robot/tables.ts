import { runningInstead } from '../../output/running-now.ts';
import type { RobotTopic, TimelineEntry } from '../data/data.ts';
import { maxEntries } from '../data/entries.ts';
import { createStore } from '../data/store.ts';
import { age } from '../components/age.ts';
import { derivedValue, foundAnew } from '../derived.ts';
import { perView } from '../per-view.ts';
import type { AnyTable, TableDefinition } from '../table/definition.ts';
import { derivedRows } from '../table/derived-rows.ts';
import type { Tone } from '../theme.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { handOver } from './shell-tab.ts';
import { robotOf } from './state.ts';

const kindTones: Readonly<Record<string, Tone>> = {
  connected: 'good',
  disconnected: 'warn',
  link_refused: 'warn',
  duplicate_agent: 'warn',
  drift: 'bad',
  drift_ended: 'good',
};

/** The timeline of the robot, newest first: Enter opens the deployment of an entry. */
function timelineTable({ data }: Ui, robotId: string): TableDefinition<TimelineEntry> {
  return {
    noun: 'entries',
    one: 'entry',
    source: derivedValue(
      foundAnew(() => data.timeline(robotId)),
      (entries) => [...entries].reverse(),
    ),
    id: ({ seq }) => String(seq),
    name: ({ kind, seq }) => `${kind} ${seq}`,
    columns: [
      {
        title: 'When',
        width: 8,
        text: ({ at }) => age(at),
        saved: false,
        order: ({ at }) => at,
        isSearched: false,
        rank: 0,
      },
      { title: 'At', width: 24, isWide: true, text: ({ at }) => at },
      {
        title: 'Kind',
        width: 21,
        least: 10,
        text: ({ kind }) => kind.replaceAll('_', ' '),
        tone: ({ kind }) => kindTones[kind],
      },
      { title: 'What', width: 40, least: 12, isFlexible: true, rank: 0, text: ({ message }) => message },
      { title: 'Details', width: 40, isWide: true, text: ({ details }) => (details ? JSON.stringify(details) : '') },
    ],
    fields: { kind: ({ kind }) => kind, at: ({ at }) => at },
    open: (ui, entry) => openEntry(ui, entry),
    most: maxEntries,
    empty: { text: 'No events yet.', next: 'The first event of a robot is its enrollment.' },
  };
}

/** Opens the deployment of the entry; without one, shows the entry's details. */
function openEntry(ui: Ui, { kind, details = {} }: TimelineEntry): void {
  const { deployment_id: id, lane } = details;
  if (typeof id !== 'string')
    return ui.overlay.set({ kind: 'text', title: kind, text: JSON.stringify(details, undefined, 2) });
  ui.views.go({ screen: 'deployment', deployment: { deploymentKind: lane === 'config' ? 'config' : 'release', id } });
}

interface Camera {
  name: string;
  isFirst: boolean;
}

/** Cameras as last reported by the agent: Enter shows the pictures of one. */
function camerasTable(ui: Ui, robotId: string): TableDefinition<Camera> {
  const { robots } = ui.data;
  return {
    noun: 'cameras',
    source: derivedValue(robots, ({ byId }) =>
      (byId.get(robotId)?.cameras ?? []).map((name, index) => ({ name, isFirst: index === 0 })),
    ),
    id: ({ name }) => name,
    name: ({ name }) => name,
    columns: [
      { title: 'Camera', width: 40, least: 12, isFlexible: true, rank: 0, text: ({ name }) => name },
      { title: 'Enter', width: 30, text: ({ isFirst }) => `shows its pictures${isFirst ? '; the default' : ''}` },
    ],
    fields: {},
    open(opening, { name }) {
      if (robotOf(opening, robotId)?.online !== true)
        return opening.notice.set({ text: 'The agent is offline, and sends no pictures', tone: 'warn' });
      void handOver(opening, ['robots', 'camera', robotId, '--camera', name]);
    },
    empty: {
      text: 'This robot reports no cameras.',
      next: 'Add one on the robot: cli agent run --camera front=v4l2:/dev/video0',
    },
  };
}

/** Topics of the robot's ROS graphs: Enter listens to one. */
function topicsTable({ data }: Ui, robotId: string, viewKey: number): TableDefinition<RobotTopic> {
  return {
    noun: 'topics',
    source: derivedValue(
      foundAnew(() => data.topics(robotId)),
      ({ topics }) => topics,
    ),
    id: ({ name, source }) => `${name} ${source}`,
    name: ({ name }) => name,
    columns: [
      { title: 'Topic', width: 32, least: 14, isFlexible: true, rank: 0, text: ({ name }) => name },
      { title: 'Type', width: 32, least: 12, text: ({ type }) => type },
      { title: 'Source', width: 26, least: 10, rank: 2, text: ({ source }) => source },
    ],
    fields: { type: ({ type }) => type, source: ({ source }) => source },
    open: (ui, { name }) => echoOf(ui, viewKey).set(name),
    empty: { text: 'Its ROS graph has no topics.', next: 'New topics appear within seconds.' },
  };
}

/** The topic that a view listens to; undefined: none. */
export const echoOf = perView(() => createStore<string | undefined>(undefined));

interface Proof {
  kind: string;
  name: string;
  version: string;
  at: string;
  deploymentId: string;
  deploymentKind: 'release' | 'config';
  drift: string | undefined;
}

/** Releases and configs that the robot has proved to run: Enter opens the deployment of one. */
function configTable({ data }: Ui, robotId: string): TableDefinition<Proof> {
  const robot = derivedValue(data.robots, ({ byId }) => byId.get(robotId));
  return {
    noun: 'entries',
    one: 'entry',
    source: derivedRows(robot, [data.configs], (known) => (known ? proofsOf(known.reported) : [])),
    id: ({ kind, name }) => `${kind} ${name}`,
    name: ({ name }) => name,
    columns: [
      { title: 'Kind', width: 16, least: 8, text: ({ kind }) => kind },
      { title: 'What', width: 30, least: 12, isFlexible: true, rank: 0, text: ({ name }) => name },
      { title: 'Version', width: 22, least: 8, text: ({ version }) => version },
      {
        title: 'State',
        width: 26,
        least: 8,
        text: ({ drift }) => drift ?? 'as deployed',
        tone: ({ drift }) => (drift === undefined ? 'good' : 'bad'),
      },
      {
        title: 'Since',
        width: 8,
        text: ({ at }) => age(at),
        saved: ({ at }) => at,
        order: ({ at }) => at,
        isSearched: false,
      },
    ],
    fields: { kind: ({ kind }) => kind, version: ({ version }) => version },
    open: (ui, { deploymentKind, deploymentId: id }) =>
      ui.views.go({ screen: 'deployment', deployment: { deploymentKind, id } }),
    alongside: () => [data.configs],
    empty: {
      text: 'This robot has reported no release and no config of this service yet.',
      next: 'See its timeline (t) and the deployments (3).',
    },
  };

  function proofsOf({ releases, configs }: NonNullable<ReturnType<typeof robotOf>>['reported']): Proof[] {
    return [
      ...Object.entries(releases).map(([kind, { tag, at, deployment_id: deploymentId, drift }]): Proof => {
        const drifted = drift && `drifted: ${runningInstead(drift)} runs`;
        return {
          kind: 'release',
          name: kind,
          version: tag,
          at,
          deploymentId,
          deploymentKind: 'release',
          drift: drifted,
        };
      }),
      ...Object.entries(configs).map(([name, { revision, at, deployment_id: deploymentId, config_id: id }]): Proof => {
        const newest = data.configs.get().value?.byId.get(id)?.revision;
        const version = newest !== undefined && newest > revision ? `#${revision}, newest #${newest}` : `#${revision}`;
        return { kind: 'config', name, version, at, deploymentId, deploymentKind: 'config', drift: undefined };
      }),
    ];
  }
}

const kept = perView(() => new Map<string, AnyTable>());

/** The list on a tab of a robot; the same object for the same robot. */
export function robotTable(ui: Ui, view: View, tab: string): AnyTable | undefined {
  const tables = kept(ui, view.key);
  const { robotId = '' } = view.place;
  const made = tables.get(tab) ?? make(ui, robotId, tab, view.key);
  if (made) tables.set(tab, made);
  return made;
}

function make(ui: Ui, robotId: string, tab: string, viewKey: number): AnyTable | undefined {
  switch (tab) {
    case 'Timeline':
      return timelineTable(ui, robotId);
    case 'Camera':
      return camerasTable(ui, robotId);
    case 'Topics':
      return topicsTable(ui, robotId, viewKey);
    case 'Config':
      return configTable(ui, robotId);
    default:
      return undefined;
  }
}
