import type { Unfinished, Ui } from '../ui.ts';

/** Registers work that quitting would cut off or lose; returns the function that ends the entry. */
export function beginUnfinished({ unfinished }: Pick<Ui, 'unfinished'>, one: Unfinished): () => void {
  unfinished.update((now) => [...now, one]);
  return () => unfinished.update((now) => now.filter((other) => other !== one));
}

/** Quits. Unfinished work is reported first; a second quit while that notice is shown quits anyway. */
export function quit({ unfinished, notice, terminal }: Ui): void {
  const warnings = unfinished.get().map((one) => one.describe());
  if (warnings.length === 0 || notice.get()?.isOfLeaving) terminal.quit();
  else notice.set({ text: warnings.join(' '), tone: 'warn', isOfLeaving: true });
}
