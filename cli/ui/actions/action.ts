import type { ScreenId, View } from '../views.ts';
import type { Ui } from '../ui.ts';

/** Where an action is at hand: everywhere, in every list, in live logs, or on these screens. */
export type Scope = 'everywhere' | 'lists' | 'logs' | readonly ScreenId[];

/** What an action knows of the view that it runs in. */
export interface ActionContext {
  ui: Ui;
  view: View;
  /** Ids of the marked rows, else of the selected one; empty: none is. */
  chosen: readonly string[];
  /** Id of the row under the cursor, whatever is marked. */
  selected: string | undefined;
}

/**
 * One thing that can be done. The table of these drives keys, the line of keys, the palette and help: what is not in it does not exist.
 * No action changes anything of the service by itself: one that does opens a form or a plan.
 */
export interface Action {
  /** As in `robots.deploy`: ui.toml binds other keys by it. */
  id: string;
  title: string;
  /** Keys by name, as in `j`, `ctrl-d`, `enter`, `esc`, `W`; none: by the palette alone. */
  keys: readonly string[];
  scope: Scope;
  /** Shown in the line of keys, the lowest first; undefined: in help and the palette alone. */
  rank?: number;
  /** Leads to a change: only where changing is on. Default: false. */
  changes?: boolean;
  /** Why it cannot be done now, as a sentence; undefined: it can. */
  disabledReason?: (context: ActionContext) => string | undefined;
  run: (context: ActionContext) => void;
  /** The same as a line of `cli`, by its words; for `Y`. */
  line?: (context: ActionContext) => readonly string[] | undefined;
}
