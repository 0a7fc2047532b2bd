import type { Ui } from '../ui.ts';

/** Rows keep their order for this long after a key that moves among them. */
const freezeMs = 1500;
const movedAtMs = new WeakMap<Ui, number>();

/** The user moves in the list: its rows keep their order for a moment. */
export function freezeRows(ui: Ui): void {
  movedAtMs.set(ui, ui.data.now());
}

/** Whether rows keep their order: the user moves among them, or a dialog is open. */
export function areRowsFrozen(ui: Ui): boolean {
  return ui.overlay.get() !== undefined || ui.data.now() - (movedAtMs.get(ui) ?? Number.NEGATIVE_INFINITY) < freezeMs;
}
