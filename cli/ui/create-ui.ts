import { createStore } from './data/store.ts';
import type { Overlay } from './overlays/overlay.ts';
import { createTheme } from './theme.ts';
import type { Notice, Ui, Unfinished } from './ui.ts';
import { createViews, type Place } from './views.ts';

interface UiParts extends Pick<Ui, 'data' | 'mutations' | 'settings' | 'terminal'> {
  colours: Parameters<typeof createTheme>[0]['colours'];
  /** The first place. */
  place: Place;
}

/** The initial state of an interface: no overlay, changes not allowed. */
export const createUi = ({ data, mutations, settings, terminal, colours, place }: UiParts): Ui => ({
  data,
  mutations,
  settings,
  terminal,
  views: createViews(place),
  overlay: createStore<Overlay | undefined>(undefined),
  notice: createStore<Notice | undefined>(undefined),
  unfinished: createStore<readonly Unfinished[]>([]),
  writes: createStore(false),
  theme: createTheme({ isAscii: settings.isAscii, colours }),
});
