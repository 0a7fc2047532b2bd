import type { Size } from './ui.ts';

/** Below that, lists and dialogs say nothing of use. */
export const least: Size = { columns: 60, rows: 15 };

export const isTooSmall = ({ columns, rows }: Size): boolean => columns < least.columns || rows < least.rows;
