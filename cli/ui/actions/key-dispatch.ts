import { quit } from '../change-flows/quit.ts';
import { controllerOf } from '../overlays/controllers.ts';
import { isTooSmall } from '../terminal-size.ts';
import type { Ui } from '../ui.ts';
import { actionOf, runAction } from './available-actions.ts';
import type { Keystroke } from './keys.ts';

/** Keys that no dialog takes away. */
const always = ['ctrl-c', 'ctrl-z', 'ctrl-l'];

/** All that keys do where nothing is to be seen of what they would be for. */
const unseen: Readonly<Record<string, (ui: Ui) => void>> = {
  q: quit,
  'ctrl-c': quit,
  'ctrl-z': ({ terminal }) => terminal.suspend(),
  'ctrl-l': ({ terminal }) => terminal.redraw(),
};

/** Does what a key is for: in the dialog that is open, else in the view. */
export function pressKey(ui: Ui, key: string): void {
  if (isTooSmall(ui.terminal.size.get())) return unseen[key]?.(ui);
  const overlay = ui.overlay.get();
  if (overlay) {
    if (controllerOf(ui, overlay).key(key) || !always.includes(key)) return;
  }
  const action = actionOf(ui, key);
  if (action) runAction(ui, action);
}

/** A key is pressed; a pasted text is typed into the dialog that is open, and is no keys. */
export function handleKeystroke(ui: Ui, keystroke: Keystroke): void {
  if ('key' in keystroke) return pressKey(ui, keystroke.key);
  const overlay = ui.overlay.get();
  if (overlay && !isTooSmall(ui.terminal.size.get())) controllerOf(ui, overlay).paste?.(keystroke.text);
}
