import type { Ui } from '../ui.ts';
import { notify } from './notify.ts';

/** Copies, and says so. Whether the terminal allowed it is unknown. */
export function copy(ui: Ui, text: string, what = text): void {
  if (ui.terminal.copy(text)) notify(ui, `Copied: ${what}`);
  else notify(ui, 'This is too long to copy: more than 64 KiB.', 'warn');
}
