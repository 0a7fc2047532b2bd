import type { UiPreferences } from '../files/ui-settings.ts';
import type { Data } from './data/data.ts';
import type { Mutations } from './data/mutations.ts';
import type { Readable, Store } from './data/store.ts';
import type { Overlay } from './overlays/overlay.ts';
import type { Settings } from './settings.ts';
import type { Theme } from './theme.ts';
import type { Views } from './views.ts';

export interface Size {
  columns: number;
  rows: number;
}

/** A sentence shown for some seconds in place of the keys in the status bar. */
export interface Notice {
  text: string;
  tone: 'good' | 'warn' | 'bad';
  /** It warns what quitting would lose: a second quit while it is shown is confirmed. Default: false. */
  isOfLeaving?: true;
}

/** Started work that quitting would lose or leave half done. */
export interface Unfinished {
  /** What quitting would do to it, in a short sentence. */
  describe: () => string;
}

/** The terminal as the interface uses it. */
export interface UiTerminal {
  size: Readable<Size>;
  /**
   * Gives the whole terminal to another `cli` command, as in `['robots', 'shell', id]`, until it exits. Returns its
   * exit code.
   */
  handOver(argv: readonly string[]): Promise<number>;
  /**
   * Copies to the terminal's clipboard (OSC 52). The terminal does not report whether it allows that. False: longer
   * than 64 KiB.
   */
  copy(text: string): boolean;
  /** Stops this process as Ctrl-Z does; redraws when it continues. */
  suspend(): void;
  /** Whether clicks and the wheel are sent to the interface; else the terminal selects text with them. */
  listenToMouse(isOn: boolean): void;
  /** Redraws everything. */
  redraw(): void;
  quit(exitCode?: number): void;
}

/** Everything that screens, actions and overlays work with. One per run of `cli ui`. */
export interface Ui {
  data: Data;
  mutations: Mutations;
  views: Views;
  /** Covers the screen and takes the keys; undefined: none. */
  overlay: Store<Overlay | undefined>;
  notice: Store<Notice | undefined>;
  /** Reported before the interface quits. */
  unfinished: Store<readonly Unfinished[]>;
  /** Whether actions that change something may start; `false` at the start. */
  writes: Store<boolean>;
  settings: Settings;
  /** As the user has them now; written to ui.toml. */
  preferences: Store<UiPreferences>;
  theme: Theme;
  terminal: UiTerminal;
}
