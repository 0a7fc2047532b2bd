import { notify } from '../actions/notify.ts';
import type { Secret } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { beginUnfinished } from './quit.ts';
import { whenClosed } from './when-loaded.ts';

/**
 * Shows a one-time value of the service when no other dialog is open: keys typed there are not meant for it, and
 * another such value stays until it is closed. Quitting before that asks for confirmation.
 */
export function showSecret(ui: Ui, secret: Secret): void {
  const over = beginUnfinished(ui, { describe: () => `${secret.title} is still open. Quit again to discard it.` });
  if (ui.overlay.get()) notify(ui, `${secret.title} is shown when this dialog is closed.`, 'warn');
  whenClosed(ui, () => ui.overlay.set({ kind: 'secret', ...secret, over }));
}
