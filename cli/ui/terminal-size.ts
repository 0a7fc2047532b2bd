import type { Size } from './ui.ts';

/** Below that, lists and dialogs say nothing of use. */
export const minSize: Size = { columns: 60, rows: 15 };

export const isTooSmall = ({ columns, rows }: Size): boolean => columns < minSize.columns || rows < minSize.rows;
