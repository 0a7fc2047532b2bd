import type { Data } from '../../cli/ui/data/data.ts';
import type { Mutations } from '../../cli/ui/data/mutations.ts';
import { createStore } from '../../cli/ui/data/store.ts';
import { createUi } from '../../cli/ui/create-ui.ts';
import { screens } from '../../cli/ui/screens/index.ts';
import type { Settings } from '../../cli/ui/settings.ts';
import type { Place } from '../../cli/ui/views.ts';
import { coverScreen } from './covered.ts';

interface HeadlessOptions {
  data: Data;
  /** Default: nothing is changed. */
  mutations?: Mutations;
  place: Place;
  settings?: Partial<Settings>;
}

/** An interface that is on no terminal, and begins at that place: what it asks of one is noted. */
export function headlessUi({ data, mutations = {} as Mutations, place, settings = {} }: HeadlessOptions) {
  const [copied, left, handedOver]: [string[], number[], (readonly string[])[]] = [[], [], []];
  const size = createStore({ columns: 100, rows: 30 });
  coverScreen(
    place.screen,
    screens.map(({ id }) => id),
  );
  const ui = createUi({
    data,
    mutations,
    place,
    settings: { keys: {}, isAscii: false, hasColours: false, readOnlyProfiles: [], ...settings },
    colours: 'none',
    terminal: {
      size,
      async handOver(argv) {
        handedOver.push(argv);
        return 0;
      },
      copy: (text) => copied.push(text) > 0,
      suspend: () => undefined,
      redraw: () => undefined,
      quit: (code = 0) => void left.push(code),
    },
  });
  return {
    ui,
    /** Of the terminal. */
    size,
    /** What was copied, the newest last. */
    copied,
    /** Exit codes it was left with. */
    left,
    /** Lines that were given the terminal. */
    handedOver,
  };
}
