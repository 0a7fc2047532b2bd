import { missingRole, readOnlyReason } from '../change-flows/permissions.ts';
import { screenOf } from '../screens/index.ts';
import { tableModel } from '../table/model.ts';
import { isTail } from '../tail/navigation.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import type { Action, ActionContext, Scope } from './action.ts';
import { keysOf } from './keymap.ts';
import { notify } from './notify.ts';
import { actions } from './all-actions.ts';

/** An available action, with its keys here. */
interface AtHand {
  action: Action;
  keys: readonly string[];
  /** Why it is disabled; undefined: it is enabled. */
  disabledReason: string | undefined;
}

/** The context of an action in the current view. */
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

/** Of two actions with the same key, the more specific one has it. */
const specificity = (scope: Scope) => (scope === 'everywhere' ? 0 : typeof scope === 'string' ? 1 : 2);

/**
 * The available actions with their keys. A key goes to the action that ui.toml names, else to the most specific one.
 */
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

/** The actions of that view, including disabled ones, in table order. */
export function actionsFor(ui: Ui, view: View): AtHand[] {
  const context = actionContext(ui, view);
  return keyed(ui, view).map((each) => ({ ...each, disabledReason: disabledReasonOf(each.action, context) }));
}

/** The action of the key in the current view. */
export const actionOf = (ui: Ui, key: string): Action | undefined =>
  keyed(ui, ui.views.get().current).find(({ keys }) => keys.includes(key))?.action;

function disabledReasonOf({ changes, disabledReason }: Action, context: ActionContext): string | undefined {
  if (changes && !context.ui.writes.get())
    return readOnlyReason(context) ?? missingRole(context, changes) ?? 'read-only: W allows changes';
  return disabledReason?.(context);
}

/** Runs the action, or says why it is disabled. */
export function runAction(ui: Ui, action: Action): void {
  const context = actionContext(ui);
  const disabledReason = disabledReasonOf(action, context);
  if (disabledReason === undefined) action.run(context);
  else notify(ui, `${action.title.replace(/…$/, '')}: ${disabledReason}`, 'warn');
}
