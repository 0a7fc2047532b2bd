import type { Robot } from '../data/data.ts';
import type { Moment } from '../actions/action.ts';
import { chosenRobots, marksHindrance } from './selection.ts';
import { nameFault } from './field-checks.ts';
import { namedIn, words } from './command-line.ts';

/** The one robot that one is at; undefined: none is, or several are. */
function oneRobot(moment: Moment): Robot | undefined {
  const [id, ...more] = chosenRobots(moment);
  return id === undefined || more.length > 0 ? undefined : moment.ui.data.robots.get().value?.byId.get(id);
}

export function oneRobotHindrance(moment: Moment): string | undefined {
  // A robot's own screen may have marks too, of what it lists.
  const marked = moment.view.place.screen === 'robot' ? undefined : marksHindrance(moment);
  return marked ?? (oneRobot(moment) ? undefined : 'no robot is chosen');
}

export function openRename(moment: Moment): void {
  const { ui } = moment;
  const robot = oneRobot(moment);
  if (!robot) return;
  const items = ui.data.robots.get().value?.items;
  ui.overlay.set({
    kind: 'form',
    form: {
      title: `Rename ${robot.name}`,
      fields: [{ name: 'name', label: 'Name', kind: 'text', initial: robot.name, check: nameFault }],
      submit: async ({ name = '' }) => ({
        title: `Rename ${robot.name} to ${name}`,
        facts: [
          { label: 'Robot', text: `${robot.name} (${robot.online ? 'online' : 'offline'})` },
          { label: 'New name', text: name },
        ],
        warnings: items?.some((other) => other.name === name && other.id !== robot.id)
          ? ['Another robot is called so already: lines of cli then need the id.']
          : [],
        line: words({ command: 'robots rename', args: [namedIn(items, robot.id), name] }),
        confirm: { kind: 'enter' },
        async run() {
          await ui.mutations.renameRobot(robot.id, name);
          return `${robot.name} is called ${name} now.`;
        },
      }),
    },
  });
}
