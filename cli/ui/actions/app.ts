import { quit } from '../change-flows/quit.ts';
import { commandText } from '../change-flows/command-line.ts';
import type { Resource } from '../data/data.ts';
import { writeDisabledReason } from '../change-flows/permissions.ts';
import { openSignIn, signInAgain } from '../change-flows/sign-in.ts';
import { viewCommands } from '../change-flows/view-command.ts';
import { openSave } from '../saving/open.ts';
import { sheetOf } from '../saving/sheet.ts';
import { screenOf, screens } from '../screens/index.ts';
import type { Action, ActionContext } from './action.ts';
import { copy } from './copy.ts';
import { notify } from './notify.ts';

const linesOf = ({ ui, view, chosen }: ActionContext) => viewCommands(ui, view, chosen);
const hasFilter = ({ view }: ActionContext) => view.list.filter !== '';
/** Ids of the chosen rows, else of the screen's robot or deployment. */
const idsOf = ({ view: { place }, chosen }: ActionContext): readonly string[] => {
  if (chosen.length > 0) return chosen;
  const id = place.robotId ?? place.deployment?.id;
  return id === undefined ? [] : [id];
};

/** Live streams update themselves. */
const isResource = (wanted: object): wanted is Pick<Resource<unknown>, 'refresh'> => 'refresh' in wanted;

/** Actions available everywhere. */
export const appActions: readonly Action[] = [
  {
    id: 'app.palette',
    title: 'Commands',
    keys: [':', 'ctrl-p'],
    scope: 'everywhere',
    rank: 80,
    run: ({ ui }) => ui.overlay.set({ kind: 'palette' }),
  },
  {
    id: 'app.help',
    title: 'Help',
    keys: ['?'],
    scope: 'everywhere',
    rank: 90,
    run: ({ ui }) => ui.overlay.set({ kind: 'help' }),
  },
  {
    id: 'app.write',
    title: 'Allow changes, or end that',
    keys: ['W'],
    scope: 'everywhere',
    disabledReason: writeDisabledReason,
    run({ ui }) {
      ui.writes.update((allowed) => !allowed);
      if (ui.writes.get()) notify(ui, 'Changes are allowed: each is shown as a plan first. W ends that.', 'warn');
      else notify(ui, 'Read-only again.');
    },
  },
  {
    id: 'app.back',
    title: 'Back: out of the filter, then out of the view',
    keys: ['esc'],
    scope: 'everywhere',
    run(context) {
      if (hasFilter(context)) context.ui.views.setList({ filter: '' });
      else context.ui.views.back();
    },
  },
  {
    id: 'app.last',
    title: 'The last view, and here again',
    keys: ['-'],
    scope: 'everywhere',
    run({ ui }) {
      if (!ui.views.forward()) ui.views.back();
    },
  },
  {
    id: 'app.previous',
    title: 'Back in the history of views',
    keys: ['['],
    scope: 'everywhere',
    run: ({ ui }) => void ui.views.back(),
  },
  {
    id: 'app.next',
    title: 'Forward in the history of views',
    keys: [']'],
    scope: 'everywhere',
    run: ({ ui }) => void ui.views.forward(),
  },
  {
    id: 'app.refresh',
    title: 'Ask the service now',
    keys: ['r'],
    scope: 'everywhere',
    run({ ui, view }) {
      if (ui.data.connection.get().kind === 'signedOut') return void signInAgain(ui);
      ui.data.tryNow();
      for (const wanted of screenOf(view.place.screen).wants(ui, view)) if (isResource(wanted)) wanted.refresh();
      notify(ui, 'Asked again.');
    },
  },
  {
    id: 'app.copyId',
    title: 'Copy the id',
    keys: ['y'],
    scope: 'everywhere',
    disabledReason: (context) => (idsOf(context).length === 0 ? 'nothing is chosen' : undefined),
    run(context) {
      const ids = idsOf(context);
      copy(context.ui, ids.join('\n'), ids.length === 1 ? ids[0] : `${ids.length} ids`);
    },
  },
  {
    id: 'app.copyLine',
    title: 'Copy this as a line of cli',
    keys: ['Y'],
    scope: 'everywhere',
    disabledReason(context) {
      if (linesOf(context).length > 0) return undefined;
      return hasFilter(context) ? 'no line of cli filters like that' : 'no line of cli shows this';
    },
    run(context) {
      const lines = linesOf(context).map(commandText);
      copy(context.ui, lines.join('\n'), lines.length === 1 ? lines[0] : `${lines.length} lines of cli`);
    },
    line(context) {
      const [line, ...more] = linesOf(context);
      return more.length === 0 ? line : undefined;
    },
  },
  {
    id: 'app.save',
    title: 'Save what is listed to a file…',
    keys: ['E'],
    scope: 'everywhere',
    disabledReason: ({ ui, view }) => (sheetOf(ui, view) ? undefined : 'nothing is listed here'),
    run: ({ ui }) => openSave(ui),
  },
  {
    id: 'app.signIn',
    title: 'Sign in…',
    keys: [],
    scope: 'everywhere',
    run: ({ ui }) => openSignIn(ui, 'A token of another person or org takes the place of this one.'),
  },
  {
    id: 'app.redraw',
    title: 'Redraw the screen',
    keys: ['ctrl-l'],
    scope: 'everywhere',
    run: ({ ui }) => ui.terminal.redraw(),
  },
  {
    id: 'app.suspend',
    title: 'Suspend; fg comes back',
    keys: ['ctrl-z'],
    scope: 'everywhere',
    run: ({ ui }) => ui.terminal.suspend(),
  },
  {
    id: 'app.quit',
    title: 'Quit',
    keys: ['q', 'ctrl-c'],
    scope: 'everywhere',
    run: ({ ui }) => quit(ui),
  },
  ...screens.flatMap(({ id, title, digit }): Action[] =>
    digit === undefined
      ? []
      : [{ id: `go.${id}`, title, keys: [digit], scope: 'everywhere', run: ({ ui }) => ui.views.go({ screen: id }) }],
  ),
];
