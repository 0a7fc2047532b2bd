import type { Robot, Tail, TailState } from '../data/data.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { fieldWords } from './search.ts';
import { tailPane, type RobotChoice } from './window.ts';

/** Maximum number of robots: nobody can read more at once, and each has its own stream. */
export const maxRobots = 50;

const nothing: TailState = { lines: [], total: 0, openCount: 0, failures: new Map() };

/** Used while there are no robots, or they are not known yet. */
const emptyTail: Tail = {
  get: () => nothing,
  subscribe: () => () => undefined,
  want: () => () => undefined,
  clear: () => undefined,
};

/** Whether the view shows a live tail, for which keys of scope `logs` are. */
export const isTail = ({ place, tab }: View): boolean =>
  place.screen === 'logs' || (place.screen === 'robot' && tab === 'Logs');

/** Robots whose logs a view shows; undefined: not known yet. */
export function tailRobots(ui: Ui, view: View): readonly string[] | undefined {
  const { place, list, key } = view;
  if (place.screen === 'robot') return place.robotId === undefined ? [] : [place.robotId];
  const pane = tailPane(ui, key);
  const words = fieldWords(list.filter);
  const by = words.join(' ');
  // Chosen once: a robot that appears or disappears must not restart the tail.
  if (pane.chosen?.by === by) return pane.chosen.robotIds;
  const robots = ui.data.robots.get().value;
  if (!robots || (words.length > 0 && !(ui.data.fleets.get().value && ui.data.sites.get().value))) return undefined;
  const [who, robotIds] = meant(ui, robots.items, words);
  pane.chosen = { by, robotIds: robotIds.slice(0, maxRobots), meant: { count: robotIds.length, who } };
  return pane.chosen.robotIds;
}

/** The choice of robots, if it has more than a view can show; undefined: it has not. As of the last `tailRobots`. */
export function robotsLeftOut(ui: Ui, view: View): RobotChoice | undefined {
  const { chosen } = tailPane(ui, view.key);
  return chosen && chosen.meant.count > maxRobots ? chosen.meant : undefined;
}

function meant(ui: Ui, robots: readonly Robot[], words: readonly string[]): [RobotChoice['who'], readonly string[]] {
  if (words.length > 0) return ['found', named(ui, robots, words)];
  const ids = marked(ui);
  return ids ? ['marked', ids] : ['online', online(robots)];
}

/** The tail of a view, the same object for the same robots. */
export function tailOf(ui: Ui, view: View): Tail {
  const robotIds = tailRobots(ui, view);
  return robotIds === undefined || robotIds.length === 0 ? emptyTail : ui.data.logs(robotIds);
}

const online = (robots: readonly Robot[]) => robots.filter((robot) => robot.online).map(({ id }) => id);

/** Robots marked in the list of robots that the user came from. */
export function marked(ui: Ui): readonly string[] | undefined {
  const list = ui.views.get().back.findLast(({ place }) => place.screen === 'robots');
  return list && list.list.marks.size > 0 ? [...list.list.marks] : undefined;
}

/** Robots whose fleet, site and name match all of the words. */
function named({ data }: Ui, robots: readonly Robot[], words: readonly string[]): string[] {
  const [fleets, sites] = [data.fleets.get().value?.byId, data.sites.get().value?.byId];
  const tests = words.map((word) => {
    const [, sign, field, text = ''] = /^(!?)(\w+):(.*)$/.exec(word.toLowerCase()) ?? [];
    const valueOf = ({ name, fleet_id: fleet, site_id: site }: Robot) =>
      field === 'fleet' ? fleets?.get(fleet)?.name : field === 'site' ? sites?.get(site)?.name : name;
    return (robot: Robot) => (valueOf(robot) ?? '').toLowerCase().includes(text) === (sign === '');
  });
  const all = robots.filter((robot) => tests.every((fits) => fits(robot)));
  // Online robots first: if there are too many, these have something to log.
  return all.sort((a, b) => Number(b.online) - Number(a.online)).map(({ id }) => id);
}
