import type { Ui } from '../ui.ts';

/** Rows keep their order for so long after a key that moves among them. */
const freezeMs = 1500;
const movedAtMs = new WeakMap<Ui, number>();

/** Somebody moves in the list: its rows keep their order for a moment. */
export function freezeRows(ui: Ui): void {
  movedAtMs.set(ui, ui.data.now());
}

/** Whether rows keep their order: somebody moves among them, or a dialog speaks of them. */
export function areRowsFrozen(ui: Ui): boolean {
  return ui.overlay.get() !== undefined || ui.data.now() - (movedAtMs.get(ui) ?? Number.NEGATIVE_INFINITY) < freezeMs;
}
