import type { Unfinished, Ui } from '../ui.ts';

/** Something that leaving would cut off or lose; gives what says that it is over. */
export function beginUnfinished({ unfinished }: Pick<Ui, 'unfinished'>, one: Unfinished): () => void {
  unfinished.update((now) => [...now, one]);
  return () => unfinished.update((now) => now.filter((other) => other !== one));
}

/** Leaves. What would be cut off or lost by that is told first, and who asks again while that stands leaves all the same. */
export function quit({ unfinished, notice, terminal }: Ui): void {
  const warnings = unfinished.get().map((one) => one.describe());
  if (warnings.length === 0 || notice.get()?.isOfLeaving) terminal.quit();
  else notice.set({ text: warnings.join(' '), tone: 'warn', isOfLeaving: true });
}
