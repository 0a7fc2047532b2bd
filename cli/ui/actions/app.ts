import { quit } from '../change-flows/quit.ts';
import { commandText } from '../change-flows/command-line.ts';
import type { Resource } from '../data/data.ts';
import { writeDisabledReason } from '../change-flows/permissions.ts';
import { openSignIn, signInAgain } from '../change-flows/sign-in.ts';
import { viewCommands } from '../change-flows/view-command.ts';
import { openSave } from '../saving/open.ts';
import { sheetOf } from '../saving/sheet.ts';
import { goTo } from '../components/screen-tabs.ts';
import { screenOf, screens } from '../screens/index.ts';
import { chooseAnew } from '../tail/sources.ts';
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
    title: 'Allow changes, or return to read-only',
    keys: ['W'],
    scope: 'everywhere',
    disabledReason: writeDisabledReason,
    run({ ui }) {
      ui.writes.update((allowed) => !allowed);
      if (ui.writes.get())
        notify(ui, 'Changes are allowed. Each is shown as a plan first. W returns to read-only.', 'warn');
      else notify(ui, 'Read-only.');
    },
  },
  {
    id: 'app.back',
    title: 'Back: clear the filter, leave the view',
    keys: ['esc'],
    scope: 'everywhere',
    run(context) {
      if (hasFilter(context)) context.ui.views.setList({ filter: '' });
      else context.ui.views.back();
    },
  },
  {
    id: 'app.last',
    title: 'Switch to the previous view',
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
    title: 'Refresh now',
    keys: ['r'],
    scope: 'everywhere',
    run({ ui, view }) {
      if (ui.data.connection.get().kind === 'signedOut') return void signInAgain(ui);
      ui.data.tryNow();
      for (const wanted of screenOf(view.place.screen).wants(ui, view)) if (isResource(wanted)) wanted.refresh();
      if (view.place.screen === 'logs') chooseAnew(ui);
      const connection = ui.data.connection.get();
      const isWaiting = connection.kind === 'resting' && connection.nextAtMs > ui.data.now();
      notify(ui, isWaiting ? 'Refreshing after the wait that the service requested.' : 'Refreshing.');
    },
  },
  {
    id: 'app.copyId',
    title: 'Copy the ID',
    keys: ['y'],
    scope: 'everywhere',
    disabledReason: (context) => (idsOf(context).length === 0 ? 'select a row first' : undefined),
    run(context) {
      const ids = idsOf(context);
      copy(context.ui, ids.join('\n'), ids.length === 1 ? ids[0] : `${ids.length} ids`);
    },
  },
  {
    id: 'app.copyLine',
    title: 'Copy this view as a cli command',
    keys: ['Y'],
    scope: 'everywhere',
    disabledReason(context) {
      if (linesOf(context).length > 0) return undefined;
      return hasFilter(context) ? 'no cli command has such a filter' : 'no cli command shows this';
    },
    run(context) {
      const lines = linesOf(context).map(commandText);
      copy(context.ui, lines.join('\n'), lines.length === 1 ? lines[0] : `${lines.length} cli commands`);
    },
    line(context) {
      const [line, ...more] = linesOf(context);
      return more.length === 0 ? line : undefined;
    },
  },
  {
    id: 'app.save',
    title: 'Save the list to a file…',
    keys: ['E'],
    scope: 'everywhere',
    disabledReason: ({ ui, view }) => (sheetOf(ui, view) ? undefined : 'this view has no list'),
    run: ({ ui }) => openSave(ui),
  },
  {
    id: 'app.signIn',
    title: 'Sign in…',
    keys: [],
    scope: 'everywhere',
    run: ({ ui }) => openSignIn(ui, 'A token of another user or org replaces the current one.'),
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
    title: 'Suspend; fg resumes',
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
  ...screens.flatMap(({ id, title, tab }): Action[] =>
    tab
      ? [{ id: goTo(id), title, keys: [tab.digit], scope: 'everywhere', run: ({ ui }) => ui.views.go({ screen: id }) }]
      : [],
  ),
];
