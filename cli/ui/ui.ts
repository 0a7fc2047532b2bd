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

/** A sentence for some seconds, in the place of the keys that matter. */
export interface Notice {
  text: string;
  tone: 'good' | 'warn' | 'bad';
  /** It tells what leaving would lose: who asks to leave again while it stands means it. Default: false. */
  isOfLeaving?: true;
}

/** Something that has begun and is lost, or left half done, by leaving. */
export interface Unfinished {
  /** What would become of it, in a short sentence. */
  describe: () => string;
}

/** What the interface may ask of the terminal it is on. */
export interface UiTerminal {
  size: Readable<Size>;
  /** Gives the whole terminal to another line of `cli`, as in `['robots', 'shell', id]`, and takes it back at its end. Gives its exit code. */
  handOver(argv: readonly string[]): Promise<number>;
  /** Into the clipboard of the terminal (OSC 52), where it allows that, which it does not tell. False: it is too long, more than 64 KiB. */
  copy(text: string): boolean;
  /** Stops this process as Ctrl-Z does; draws again when it goes on. */
  suspend(): void;
  /** Draws everything anew. */
  redraw(): void;
  quit(exitCode?: number): void;
}

/** All that screens, actions and overlays work with. One for each run of `cli ui`. */
export interface Ui {
  data: Data;
  mutations: Mutations;
  views: Views;
  /** What lies over the screen and takes the keys; undefined: nothing. */
  overlay: Store<Overlay | undefined>;
  notice: Store<Notice | undefined>;
  /** Told of before the interface is left. */
  unfinished: Store<readonly Unfinished[]>;
  /** Whether actions that change something may be begun; `false` at the start. */
  writes: Store<boolean>;
  settings: Settings;
  theme: Theme;
  terminal: UiTerminal;
}
