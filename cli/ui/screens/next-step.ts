import type { Ui } from '../ui.ts';

/** How the first of a thing is made: what to press as things are, and no more, as `W` would end what it began. */
export const nextStep = ({ writes }: Ui, key: string): string =>
  writes.get() ? `${key} makes one.` : `W allows changes, then ${key} makes one.`;
