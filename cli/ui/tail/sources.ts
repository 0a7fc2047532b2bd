import type { Robot, Tail, TailState } from '../data/data.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { fieldWords } from './search.ts';
import { tailPane } from './window.ts';

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
  const robots = ui.data.robots.get().value;
  if (!robots || (words.length > 0 && !(ui.data.fleets.get().value && ui.data.sites.get().value))) return undefined;
  // Chosen once: a robot that appears or disappears must not restart the tail. Nothing is kept if there was none, as
  // just after a restart of the service, or if all are gone, as after a sign-in to another org.
  if (pane.chosen?.by === by && pane.chosen.robotIds.some((id) => robots.byId.has(id))) return pane.chosen.robotIds;
  const [, robotIds] = meant(ui, robots.items, words);
  pane.chosen = { by, robotIds: robotIds.slice(0, maxRobots) };
  return pane.chosen.robotIds;
}

/** Chooses the robots of the current view anew. */
export function chooseAnew(ui: Ui): void {
  tailPane(ui, ui.views.get().current.key).chosen = undefined;
  ui.views.setList({}); // draws it
}

/** The robots whose logs are wanted: `who` as in `81 online robots`. */
export interface RobotChoice {
  who: 'online' | 'marked' | 'found';
  shown: number;
  count: number;
}

/** The choice of robots, if more are wanted now than the view shows; undefined: it shows all. */
export function robotsLeftOut(ui: Ui, view: View): RobotChoice | undefined {
  const robots = ui.data.robots.get().value;
  const shown = new Set(tailRobots(ui, view));
  if (!robots || shown.size === 0) return undefined;
  const [who, robotIds] = meant(ui, robots.items, fieldWords(view.list.filter));
  const more = robotIds.filter((id) => !shown.has(id)).length;
  return more > 0 ? { who, shown: shown.size, count: shown.size + more } : undefined;
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

/** Robots marked in the list of robots that the user came from, as far as they exist; undefined: none. */
export function marked({ data, views }: Ui): readonly string[] | undefined {
  const list = views.get().back.findLast(({ place }) => place.screen === 'robots');
  const robots = data.robots.get().value?.byId;
  const ids = [...(list?.list.marks ?? [])].filter((id) => robots?.has(id) ?? true);
  return ids.length > 0 ? ids : undefined;
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
