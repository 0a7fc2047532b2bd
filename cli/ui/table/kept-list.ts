import type { ListPreferences, UiPreferences } from '../../files/ui-settings.ts';
import type { Ui } from '../ui.ts';
import type { ListState, ScreenId } from '../views.ts';

/** Tabs that are selected at first, of screens with tabs. */
export const firstTabs: Readonly<Partial<Record<ScreenId, string>>> = {
  overview: 'Fleets',
  robot: 'Health',
  deployment: 'Grid',
  people: 'Users',
};

/** The name of a list in ui.toml: its screen, and its tab if there are several. */
function listName(screen: ScreenId, tab = firstTabs[screen]): string {
  return tab === undefined ? screen : `${screen}-${tab.toLowerCase().replaceAll(' ', '-')}`;
}

/** How that list is shown at first. */
export const keptList = ({ lists }: UiPreferences, screen: ScreenId, tab: string | undefined): ListPreferences =>
  lists[listName(screen, tab)] ?? {};

/** Changes order or columns of the list of the current view, now and whenever it is opened again. */
export function changeList(ui: Ui, change: Partial<Pick<ListState, 'sort' | 'columns' | 'isWide'>>): void {
  ui.views.setList(change);
  keepInList(ui, change);
}

/** Keeps this for the list of the current view. */
export function keepInList(ui: Ui, change: ListPreferences): void {
  const { place, tab } = ui.views.get().current;
  const name = listName(place.screen, tab);
  ui.preferences.update((now) => ({ ...now, lists: { ...now.lists, [name]: { ...now.lists[name], ...change } } }));
}
