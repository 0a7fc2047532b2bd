import { pinText } from '../../output/pin-text.ts';
import { safeCell } from '../../output/safe.ts';
import type { Robot } from '../data/data.ts';
import { age } from '../components/age.ts';
import { cutLine, lineOf, type Line } from '../components/line.ts';
import { tabBarLine } from '../components/tab-bar.ts';
import { robotTabOf, robotTabs } from './tabs.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { ago, robotOf, robotState } from './state.ts';

/** With fewer rows, the second line of facts is dropped. */
const rowsForFacts = 16;

/** Name, state and releases of the robot; and the tabs. */
export function robotHeader(ui: Ui, view: View, columns: number, rows: number): Line[] {
  const { data, theme } = ui;
  const { ellipsis } = theme.signs;
  const { robotId = '' } = view.place;
  const robot = robotOf(ui, robotId);
  const tabs = cutLine(tabBarLine(robotTabs, robotTabOf(view)), columns, ellipsis);
  if (!robot) {
    return [cutLine(unlistedLine(ui, robotId), columns, ellipsis), tabs];
  }
  const trail = data.health(robotId).get().value;
  const state = robotState(robot, trail, theme.signs).map(({ text, tone }) => ({ text: safeCell(text), tone }));
  const nameOf = (
    list: { get(): { value: { byId: ReadonlyMap<string, { name: string }> } | undefined } },
    id: string,
  ) => safeCell(list.get().value?.byId.get(id)?.name ?? '');
  const place = [nameOf(data.sites, robot.site_id), nameOf(data.fleets, robot.fleet_id)].filter((name) => name !== '');
  const version = trail?.points.at(-1)?.snapshot.agent?.version;
  const first: Line = {
    segments: [
      { text: ` ${safeCell(robot.name)}`, tone: 'strong' },
      { text: '  ' },
      ...state,
      { text: `  ${place.join(' / ')}` },
      ...(version === undefined ? [] : [{ text: `  ${safeCell(version)}`, tone: 'quiet' as const }]),
    ],
  };
  const pinned = robot.pin ? [lineOf(` pinned at ${safeCell(pinText(robot.pin))}`, 'warn')] : [];
  const lines = [first, ...(rows >= rowsForFacts ? [factsLine(robot)] : []), ...pinned, tabs];
  return lines.map((line) => cutLine(line, columns, ellipsis));
}

/** Of a robot that is not in the list: it may be retired. */
function unlistedLine({ data }: Ui, robotId: string): Line {
  const { value: robot, freshness } = data.robot(robotId).get();
  if (robot?.retired_at !== undefined) {
    const { replaced_by: by = '' } = robot;
    // A robot that replaced it may be removed or retired since.
    const replaced = `replaced by ${data.robots.get().value?.byId.get(by)?.name ?? by}`;
    return {
      segments: [
        { text: ` ${safeCell(robot.name)}`, tone: 'strong' },
        { text: `  retired ${ago(age(robot.retired_at))}, ${safeCell(replaced)}`, tone: 'warn' },
      ],
    };
  }
  if (data.robots.get().value === undefined || freshness.kind === 'loading')
    return lineOf(` ${safeCell(robotId)}`, 'quiet');
  return lineOf(` robot ${safeCell(robotId)} not found: it may have been removed`, 'warn');
}

function factsLine({ reported, labels, timezone }: Robot): Line {
  const releases = Object.entries(reported.releases).map(([kind, { tag, drift }]) =>
    safeCell(`${tag} (${kind})${drift ? ', drifted' : ''}`),
  );
  const pairs = Object.entries(labels).map((pair) => safeCell(pair.join('=')));
  if (timezone !== undefined) pairs.push(safeCell(timezone));
  return {
    segments: [
      { text: ` runs ${releases.length > 0 ? releases.join(', ') : 'no release of this service'}` },
      { text: pairs.length > 0 ? `  ${pairs.join(' ')}` : '', tone: 'quiet' },
    ],
  };
}
