import { nearest } from '../../command-line/suggest.ts';
import type { Settings } from '../settings.ts';
import type { Action, Scope } from './action.ts';
import { isKeyName } from './keys.ts';

/** Keys of an action: those in ui.toml, else its own. */
export const keysOf = ({ id, keys }: Pick<Action, 'id' | 'keys'>, settings: Pick<Settings, 'keys'>) =>
  settings.keys[id] ?? keys;

/** Problems of the keys in ui.toml, one sentence each. The other keys apply. */
export function keymapProblems(actions: readonly Action[], { keys }: Pick<Settings, 'keys'>): string[] {
  const bound = Object.entries(keys);
  const ids = actions.map(({ id }) => id);
  const unknown = bound.flatMap(([id]) => {
    if (ids.includes(id)) return [];
    const near = nearest(id, ids);
    return [`unknown action "${id}"${near === undefined ? '' : `; did you mean ${near}?`}`];
  });
  const nameless = bound.flatMap(([id, names]) =>
    names.filter((name) => !isKeyName(name)).map((name) => `${id}: unknown key "${name}"`),
  );
  const ofUser = actions.filter(({ id }) => id in keys);
  const doubles = ofUser.flatMap((action, index) =>
    ofUser.slice(index + 1).flatMap((other) =>
      isShared(action.scope, other.scope)
        ? keysOf(action, { keys })
            .filter((key) => keysOf(other, { keys }).includes(key))
            .map((key) => `${key} is bound to ${action.id} and to ${other.id}; the first counts`)
        : [],
    ),
  );
  return [...unknown, ...nameless, ...doubles];
}

/** Whether both are available at the same time, with the same claim to a key. */
function isShared(one: Scope, other: Scope): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.some((screen) => other.includes(screen));
}
