import { screenOf } from '../screens/index.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import type { Action } from './action.ts';

/** Screens with several tabs. */
const withTabs = ['overview', 'robot', 'deployment', 'people'] as const;

function goBeside({ ui, view }: { ui: Ui; view: View }, step: 1 | -1): void {
  const { tabs = [] } = screenOf(view.place.screen);
  const at = Math.max(0, tabs.indexOf(view.tab ?? ''));
  const next = tabs[(at + step + tabs.length) % tabs.length];
  if (next !== undefined) ui.views.setTab(next);
}

/** Actions of screens with tabs. */
export const tabActions: readonly Action[] = [
  {
    id: 'tabs.next',
    title: 'Next tab or list',
    keys: ['tab'],
    scope: withTabs,
    rank: 28,
    run: (context) => goBeside(context, 1),
  },
  {
    id: 'tabs.previous',
    title: 'Previous tab or list',
    keys: ['shift-tab'],
    scope: withTabs,
    run: (context) => goBeside(context, -1),
  },
];
