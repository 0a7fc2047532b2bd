import { quit } from '../change-flows/quit.ts';
import { handleMouse } from '../mouse/mouse.ts';
import { controllerOf } from '../overlays/controllers.ts';
import { isTooSmall } from '../terminal-size.ts';
import type { Ui } from '../ui.ts';
import { actionOf, runAction } from './available-actions.ts';
import type { Keystroke } from './keys.ts';

/** Keys that still work if a dialog does not handle them. */
const always = ['ctrl-c', 'ctrl-z', 'ctrl-l'];

/** The only keys that work while the terminal is too small. */
const unseen: Readonly<Record<string, (ui: Ui) => void>> = {
  q: quit,
  'ctrl-c': quit,
  'ctrl-z': ({ terminal }) => terminal.suspend(),
  'ctrl-l': ({ terminal }) => terminal.redraw(),
};

/** Passes the key to the open dialog, else runs the view's action. */
export function pressKey(ui: Ui, key: string): void {
  if (isTooSmall(ui.terminal.size.get())) return unseen[key]?.(ui);
  const overlay = ui.overlay.get();
  if (overlay) {
    if (controllerOf(ui, overlay).key(key) || !always.includes(key)) return;
  }
  const action = actionOf(ui, key);
  if (action) runAction(ui, action);
}

/** Handles a key or a click; a pasted text goes to the open dialog, and presses no keys. */
export function handleKeystroke(ui: Ui, keystroke: Keystroke): void {
  if ('key' in keystroke) return pressKey(ui, keystroke.key);
  if ('mouse' in keystroke) return handleMouse(ui, keystroke.mouse);
  const overlay = ui.overlay.get();
  if (overlay && !isTooSmall(ui.terminal.size.get())) controllerOf(ui, overlay).paste?.(keystroke.text);
}
