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

/** Where somebody is: a screen, and of whom. */
export interface Place {
  screen: ScreenId;
  /** The robot or the deployment that a detail screen is about; the filter that a list begins with. */
  robotId?: string;
  deployment?: { deploymentKind: 'release' | 'config'; id: string };
  filter?: string;
}

/** What is kept of a list while one is elsewhere. */
export interface ListState {
  /** The selected row goes by its id, so that it stays when rows come and go. */
  cursorId: string | undefined;
  /** Where the cursor was: taken when that row is gone. */
  cursorIndex: number;
  filter: string;
  /** The column by its title; default: the list's own order. */
  sort: { title: string; isReverse: boolean } | undefined;
  marks: ReadonlySet<string>;
  isWide: boolean;
}

/** A place with what is kept of it. */
export interface View {
  /** Unique in a run; what is kept outside goes by it. */
  key: number;
  place: Place;
  list: ListState;
  /** The selected tab of a screen with tabs. */
  tab: string | undefined;
}

interface ViewsState {
  /** From the first to where one is. */
  back: readonly View[];
  current: View;
  forward: readonly View[];
}

export interface Views extends Readable<ViewsState> {
  go(place: Place): void;
  /** To where one came from; false at the first. */
  back(): boolean;
  forward(): boolean;
  /** Changes what is kept of the current view. */
  setList(change: Partial<ListState>): void;
  /** Another tab has a list of its own: the cursor, the filter, the order and the marks of this one mean nothing there. */
  setTab(tab: string): void;
}

/** A history longer than that forgets its oldest. */
const maxBack = 100;

/** A list that nobody did anything to. */
export const initialList = {
  cursorId: undefined,
  cursorIndex: 0,
  filter: '',
  sort: undefined,
  marks: new Set<string>(),
};

export function createViews(first: Place): Views {
  let key = 0;
  const viewOf = (place: Place): View => ({
    key: (key += 1),
    place,
    list: { ...initialList, filter: place.filter ?? '', isWide: false },
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
      if (tab !== current.tab) change({ tab, list: { ...current.list, ...initialList } });
    },
  };
}
