import type { Data } from '../../cli/ui/data/data.ts';
import type { Mutations } from '../../cli/ui/data/mutations.ts';
import { createStore } from '../../cli/ui/data/store.ts';
import { createUi } from '../../cli/ui/create-ui.ts';
import { screens } from '../../cli/ui/screens/index.ts';
import type { Settings } from '../../cli/ui/settings.ts';
import type { Place } from '../../cli/ui/views.ts';
import { coverScreen } from '../runner/covered.ts';

interface HeadlessOptions {
  data: Data;
  /** Default: no mutations. */
  mutations?: Mutations;
  place: Place;
  settings?: Partial<Settings>;
}

/** An interface without a terminal, which begins at that place and records what it requests from one. */
export function headlessUi({ data, mutations = {} as Mutations, place, settings = {} }: HeadlessOptions) {
  const [copied, left, handedOver]: [string[], number[], (readonly string[])[]] = [[], [], []];
  const listened: boolean[] = [];
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
      listenToMouse: (isOn) => void listened.push(isOn),
      suspend: () => undefined,
      redraw: () => undefined,
      quit: (code = 0) => void left.push(code),
    },
  });
  return {
    ui,
    /** Size of the terminal. */
    size,
    /** Copied texts, the newest last. */
    copied,
    /** Exit codes of the interface. */
    left,
    /** Whether the mouse was listened to, one entry for each change. */
    listened,
    /** Command lines that got the terminal. */
    handedOver,
  };
}
