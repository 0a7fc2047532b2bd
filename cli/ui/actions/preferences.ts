import { splitViews, themeNames } from '../../files/ui-settings.ts';
import { isMouseOn } from '../mouse/is-mouse-on.ts';
import { noSplitReason } from '../screens/split-view.ts';
import type { Action } from './action.ts';
import { notify } from './notify.ts';

/** Actions that change how the interface looks and listens; ui.toml keeps them. */
export const preferenceActions: readonly Action[] = [
  {
    id: 'app.theme',
    title: 'Next theme',
    keys: ['ctrl-t'],
    scope: 'everywhere',
    disabledReason: ({ ui }) => (ui.settings.hasColours ? undefined : 'colors are off'),
    run({ ui }) {
      const now = ui.preferences.get().theme;
      const next = themeNames[now === undefined ? 0 : themeNames.indexOf(now) + 1];
      ui.preferences.update((all) => ({ ...all, theme: next }));
      notify(ui, next === undefined ? 'Theme: the colors of the terminal' : `Theme: ${next}`);
    },
  },
  {
    id: 'app.mouse',
    title: 'Mouse on or off',
    keys: ['m'],
    scope: 'everywhere',
    run({ ui }) {
      const mouse = !isMouseOn(ui);
      ui.preferences.update((all) => ({ ...all, mouse }));
      ui.terminal.listenToMouse(mouse);
      notify(ui, mouse ? 'Mouse on. Shift selects text.' : 'Mouse off: the terminal selects text.');
    },
  },
  {
    id: 'robots.split',
    title: 'Details, logs or nothing beside the list',
    keys: ['v'],
    scope: ['robots'],
    rank: 36,
    disabledReason: ({ ui }) => noSplitReason(ui),
    run({ ui }) {
      const now = ui.preferences.get().split;
      const split = splitViews[now === undefined ? 0 : splitViews.indexOf(now) + 1];
      ui.preferences.update((all) => ({ ...all, split }));
    },
  },
];
