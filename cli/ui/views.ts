import type { ListPreferences } from '../files/ui-settings.ts';
import { createStore, type Readable } from './data/store.ts';

export type ScreenId =
  | 'overview'
  | 'robots'
  | 'robot'
  | 'deployments'
  | 'deployment'
  | 'releases'
  | 'configs'
  | 'places'
  | 'keys'
  | 'logs'
  | 'activity'
  | 'people';

/** Where the user is: a screen, and its subject. */
export interface Place {
  screen: ScreenId;
  /** The subject of a detail screen, a robot or deployment; the initial filter of a list. */
  robotId?: string;
  deployment?: { deploymentKind: 'release' | 'config'; id: string };
  filter?: string;
}

/** State of a list, kept while other views are open. */
export interface ListState {
  /** Id of the selected row, so that the cursor stays on it when rows come and go. */
  cursorId: string | undefined;
  /** Index of the cursor: used when that row is gone. */
  cursorIndex: number;
  filter: string;
  /** Sort column by title; default: the list's own order. */
  sort: { title: string; isReverse: boolean } | undefined;
  marks: ReadonlySet<string>;
  isWide: boolean;
  /** Titles of the chosen columns, in their order; undefined: as the list has them. */
  columns: readonly string[] | undefined;
}

/** A place and its state. */
export interface View {
  /** Unique in a run; state kept outside is keyed by it. */
  key: number;
  place: Place;
  list: ListState;
  /** The selected tab of a screen with tabs. */
  tab: string | undefined;
}

interface ViewsState {
  /** From the first view to the one before the current. */
  back: readonly View[];
  current: View;
  forward: readonly View[];
}

export interface Views extends Readable<ViewsState> {
  go(place: Place): void;
  /** Returns to the previous view; false at the first. */
  back(): boolean;
  forward(): boolean;
  /** Changes the list state of the current view. */
  setList(change: Partial<ListState>): void;
  /** Resets the list state: each tab has its own list, where this cursor, filter, order and marks mean nothing. */
  setTab(tab: string): void;
}

/** History limit: older views are discarded. */
const maxBack = 100;

/** The initial state of a list. */
export const initialList = {
  cursorId: undefined,
  cursorIndex: 0,
  filter: '',
  sort: undefined,
  marks: new Set<string>(),
  isWide: false,
  columns: undefined,
} satisfies ListState;

/** `kept`: how the list of a screen or tab is shown at first, where that differs from the initial state. */
export function createViews(
  first: Place,
  kept: (screen: ScreenId, tab: string | undefined) => ListPreferences = () => ({}),
): Views {
  let key = 0;
  function listOf({ screen, filter: asked }: Place, tab: string | undefined): ListState {
    const { sort, columns, isWide = false, filter = '' } = kept(screen, tab);
    return { ...initialList, sort, columns, isWide, filter: asked ?? filter };
  }
  const viewOf = (place: Place): View => ({
    key: (key += 1),
    place,
    list: listOf(place, undefined),
    tab: undefined,
  });
  const store = createStore<ViewsState>({ back: [], current: viewOf(first), forward: [] });
  const change = (view: Partial<View>) =>
    store.update((state) => ({ ...state, current: { ...state.current, ...view } }));
  return {
    get: store.get,
    subscribe: store.subscribe,
    go: (place) =>
      store.update(({ back, current }) => ({
        back: [...back, current].slice(-maxBack),
        current: viewOf(place),
        forward: [],
      })),
    back() {
      const { back, current, forward } = store.get();
      const last = back.at(-1);
      if (last) store.set({ back: back.slice(0, -1), current: last, forward: [current, ...forward] });
      return last !== undefined;
    },
    forward() {
      const { back, current, forward } = store.get();
      const [next, ...rest] = forward;
      if (next) store.set({ back: [...back, current], current: next, forward: rest });
      return next !== undefined;
    },
    setList: (list) => change({ list: { ...store.get().current.list, ...list } }),
    setTab(tab) {
      const { current } = store.get();
      if (tab !== current.tab) change({ tab, list: listOf({ screen: current.place.screen }, tab) });
    },
  };
}
