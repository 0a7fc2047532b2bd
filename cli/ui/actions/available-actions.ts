import { writeDisabledReason } from '../change-flows/permissions.ts';
import { screenOf } from '../screens/index.ts';
import { tableModel } from '../table/model.ts';
import { isTail } from '../tail/navigation.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import type { Action, ActionContext, Scope } from './action.ts';
import { keysOf } from './keymap.ts';
import { notify } from './notify.ts';
import { actions } from './all-actions.ts';

/** An action that is at hand, with the keys that do it here. */
interface AtHand {
  action: Action;
  keys: readonly string[];
  /** Why it cannot be done now; undefined: it can. */
  disabledReason: string | undefined;
}

/** The current view, for an action. */
export function actionContext(ui: Ui, view: View = ui.views.get().current): ActionContext {
  const table = screenOf(view.place.screen).table?.(ui, view);
  const { chosen, ids, cursor } = table ? tableModel(ui, view, table) : { chosen: [], ids: [], cursor: 0 };
  return { ui, view, chosen, selected: ids[cursor] };
}

function isAtHand(scope: Scope, ui: Ui, view: View): boolean {
  switch (scope) {
    case 'everywhere':
      return true;
    case 'lists':
      return screenOf(view.place.screen).table?.(ui, view) !== undefined;
    case 'logs':
      return isTail(view);
    default:
      return scope.includes(view.place.screen);
  }
}

/** Of two actions with one key the more specific one is meant. */
const specificity = (scope: Scope) => (scope === 'everywhere' ? 0 : typeof scope === 'string' ? 1 : 2);

/** The actions at hand, each with the keys that no other has a better right to: who is named in ui.toml first, then the most specific. */
function keyed(ui: Ui, view: View): { action: Action; keys: readonly string[] }[] {
  const found = actions.filter(({ scope }) => isAtHand(scope, ui, view));
  const right = ({ id, scope }: Action) => (id in ui.settings.keys ? 10 : 0) + specificity(scope);
  const taken = new Set<string>();
  const keys = new Map<Action, readonly string[]>();
  for (const action of [...found].sort((one, other) => right(other) - right(one))) {
    const own = keysOf(action, ui.settings).filter((key) => !taken.has(key));
    own.forEach((key) => taken.add(key));
    keys.set(action, own);
  }
  return found.map((action) => ({ action, keys: keys.get(action) ?? [] }));
}

/** What can be done in that view, what cannot be done now included, in the order of the table. */
export function actionsFor(ui: Ui, view: View): AtHand[] {
  const context = actionContext(ui, view);
  return keyed(ui, view).map((each) => ({ ...each, disabledReason: disabledReasonOf(each.action, context) }));
}

/** What the key is for in the current view. */
export const actionOf = (ui: Ui, key: string): Action | undefined =>
  keyed(ui, ui.views.get().current).find(({ keys }) => keys.includes(key))?.action;

function disabledReasonOf({ changes, disabledReason }: Action, context: ActionContext): string | undefined {
  if (changes && !context.ui.writes.get()) return writeDisabledReason(context) ?? 'read-only: W allows changes';
  return disabledReason?.(context);
}

/** Does it, or says why it cannot be done. */
export function runAction(ui: Ui, action: Action): void {
  const context = actionContext(ui);
  const disabledReason = disabledReasonOf(action, context);
  if (disabledReason === undefined) action.run(context);
  else notify(ui, `${action.title.replace(/…$/, '')}: ${disabledReason}`, 'warn');
}
