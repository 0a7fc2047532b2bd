import type { UiPreferences } from '../files/ui-settings.ts';
import { createStore } from './data/store.ts';
import type { Overlay } from './overlays/overlay.ts';
import { keptList } from './table/kept-list.ts';
import { createTheme } from './theme.ts';
import type { Notice, Ui, Unfinished } from './ui.ts';
import { createViews, type Place } from './views.ts';

interface UiParts extends Pick<Ui, 'data' | 'mutations' | 'settings' | 'terminal'> {
  colours: Parameters<typeof createTheme>[0]['colours'];
  /** The first place. */
  place: Place;
}

/** The initial state of an interface: no overlay, changes not allowed. */
export function createUi({ data, mutations, settings, terminal, colours, place }: UiParts): Ui {
  const preferences = createStore<UiPreferences>(settings.preferences ?? { lists: {} });
  return {
    data,
    mutations,
    settings,
    preferences,
    terminal,
    views: createViews(place, (screen, tab) => keptList(preferences.get(), screen, tab)),
    overlay: createStore<Overlay | undefined>(undefined),
    notice: createStore<Notice | undefined>(undefined),
    unfinished: createStore<readonly Unfinished[]>([]),
    writes: createStore(false),
    theme: createTheme({ isAscii: settings.isAscii, colours, name: () => preferences.get().theme }),
  };
}
