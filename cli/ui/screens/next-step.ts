import type { Ui } from '../ui.ts';

/** How to create the first item: the keys to press now, and no more, as `W` would end write mode if it is on. */
export const nextStep = ({ writes }: Ui, key: string): string =>
  writes.get() ? `${key} adds one.` : `W allows changes, then ${key} adds one.`;
