import type { Size } from './ui.ts';

/** On smaller terminals, lists and dialogs are useless. */
export const minSize: Size = { columns: 60, rows: 15 };

export const isTooSmall = ({ columns, rows }: Size): boolean => columns < minSize.columns || rows < minSize.rows;
