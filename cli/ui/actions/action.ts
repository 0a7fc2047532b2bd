import type { Role } from '../data/mutations.ts';
import type { ScreenId, View } from '../views.ts';
import type { Ui } from '../ui.ts';

/** Where an action is available: everywhere, in every list, in live logs, or on these screens. */
export type Scope = 'everywhere' | 'lists' | 'logs' | readonly ScreenId[];

/** The view in which an action runs. */
export interface ActionContext {
  ui: Ui;
  view: View;
  /** Ids of the marked rows, else of the selected one; empty: none. */
  chosen: readonly string[];
  /** Id of the row under the cursor, whatever is marked. */
  selected: string | undefined;
}

/**
 * An action of the user. The table of actions drives keys, status bar, palette and help: there are no others. No action
 * changes the service by itself: it opens a form or a plan.
 */
export interface Action {
  /** As in `robots.deploy`: ui.toml binds keys by it. */
  id: string;
  title: string;
  /** Key names, as in `j`, `ctrl-d`, `enter`, `esc`, `W`; none: only in the palette. */
  keys: readonly string[];
  scope: Scope;
  /** Order in the status bar, lowest first; undefined: only in help and palette. */
  rank?: number;
  /** Leads to a change that needs this role: enabled only while changes are allowed. Default: it changes nothing. */
  changes?: Role;
  /** Why it is disabled, as a sentence; undefined: it is enabled. */
  disabledReason?: (context: ActionContext) => string | undefined;
  run: (context: ActionContext) => void;
  /** The same as a `cli` command, by its words; for `Y`. */
  line?: (context: ActionContext) => readonly string[] | undefined;
}
