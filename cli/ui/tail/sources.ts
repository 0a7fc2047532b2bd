import type { Robot, Tail, TailState } from '../data/data.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { fieldWords } from './search.ts';
import { tailPane, type RobotChoice } from './window.ts';

/** More robots than that one cannot read at once, and each is a stream of its own. */
export const maxRobots = 50;

const nothing: TailState = { lines: [], total: 0, openCount: 0, failures: new Map() };

/** Stands where nobody's logs can be told yet. */
const emptyTail: Tail = {
  get: () => nothing,
  subscribe: () => () => undefined,
  want: () => () => undefined,
  clear: () => undefined,
};

/** Whether a live tail is what is shown: what the keys of scope `logs` are for. */
export const isTail = ({ place, tab }: View): boolean =>
  place.screen === 'logs' || (place.screen === 'robot' && tab === 'Logs');

/** Whose logs a view shows; undefined: nobody knows yet. */
export function tailRobots(ui: Ui, view: View): readonly string[] | undefined {
  const { place, list, key } = view;
  if (place.screen === 'robot') return place.robotId === undefined ? [] : [place.robotId];
  const pane = tailPane(ui, key);
  const words = fieldWords(list.filter);
  const by = words.join(' ');
  // Chosen once: a robot that comes or goes must not begin the tail anew.
  if (pane.chosen?.by === by) return pane.chosen.robotIds;
  const robots = ui.data.robots.get().value;
  if (!robots || (words.length > 0 && !(ui.data.fleets.get().value && ui.data.sites.get().value))) return undefined;
  const [who, robotIds] = meant(ui, robots.items, words);
  pane.chosen = { by, robotIds: robotIds.slice(0, maxRobots), meant: { count: robotIds.length, who } };
  return pane.chosen.robotIds;
}

/** How many robots more are meant than have room in a view; undefined: none. Told of those whose logs it shows. */
export function robotsLeftOut(ui: Ui, view: View): RobotChoice | undefined {
  const { chosen } = tailPane(ui, view.key);
  return chosen && chosen.meant.count > maxRobots ? chosen.meant : undefined;
}

function meant(ui: Ui, robots: readonly Robot[], words: readonly string[]): [RobotChoice['who'], readonly string[]] {
  if (words.length > 0) return ['found', named(ui, robots, words)];
  const ids = marked(ui);
  return ids ? ['marked', ids] : ['online', online(robots)];
}

/** The tail of a view, the same as long as it is of the same robots. */
export function tailOf(ui: Ui, view: View): Tail {
  const robotIds = tailRobots(ui, view);
  return robotIds === undefined || robotIds.length === 0 ? emptyTail : ui.data.logs(robotIds);
}

const online = (robots: readonly Robot[]) => robots.filter((robot) => robot.online).map(({ id }) => id);

/** Those that are marked in the list of robots where one came from. */
function marked(ui: Ui): readonly string[] | undefined {
  const list = ui.views.get().back.findLast(({ place }) => place.screen === 'robots');
  return list && list.list.marks.size > 0 ? [...list.list.marks] : undefined;
}

/** Those whose fleet, site and name are as all of the words say. */
function named({ data }: Ui, robots: readonly Robot[], words: readonly string[]): string[] {
  const [fleets, sites] = [data.fleets.get().value?.byId, data.sites.get().value?.byId];
  const tests = words.map((word) => {
    const [, sign, field, text = ''] = /^(!?)(\w+):(.*)$/.exec(word.toLowerCase()) ?? [];
    const valueOf = ({ name, fleet_id: fleet, site_id: site }: Robot) =>
      field === 'fleet' ? fleets?.get(fleet)?.name : field === 'site' ? sites?.get(site)?.name : name;
    return (robot: Robot) => (valueOf(robot) ?? '').toLowerCase().includes(text) === (sign === '');
  });
  const all = robots.filter((robot) => tests.every((fits) => fits(robot)));
  // Where there are too many, those that say something.
  return all.sort((a, b) => Number(b.online) - Number(a.online)).map(({ id }) => id);
}
