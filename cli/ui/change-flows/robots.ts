import type { Robot } from '../data/data.ts';
import type { ActionContext } from '../actions/action.ts';
import { chosenRobots, marksDisabledReason } from './selection.ts';
import { nameFault } from './field-checks.ts';
import { nameOrId, commandWords } from './command-line.ts';

/** The one selected robot; undefined: none, or several. */
export function oneRobot(context: ActionContext): Robot | undefined {
  const [id, ...more] = chosenRobots(context);
  return id === undefined || more.length > 0 ? undefined : context.ui.data.robots.get().value?.byId.get(id);
}

export function oneRobotDisabledReason(context: ActionContext): string | undefined {
  // On a robot's own screen, marks are of the list on a tab.
  const marked = context.view.place.screen === 'robot' ? undefined : marksDisabledReason(context);
  return marked ?? (oneRobot(context) ? undefined : 'select a robot first');
}

export function openRename(context: ActionContext): void {
  const { ui } = context;
  const robot = oneRobot(context);
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
          ? ['Another robot has this name. Commands then need the ID.']
          : [],
        line: commandWords({ command: 'robots rename', args: [nameOrId(items, robot.id), name] }),
        confirm: { kind: 'enter' },
        async run() {
          await ui.mutations.renameRobot(robot.id, name);
          return `Renamed ${robot.name} to ${name}.`;
        },
      }),
    },
  });
}
