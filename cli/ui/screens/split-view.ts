import type { SplitView } from '../../files/ui-settings.ts';
import type { Ui } from '../ui.ts';

/** With fewer columns, a list has no room for anything beside it. */
const leastColumns = 120;
/** Share of the list. */
const listShare = 0.55;

/** Columns of a list and of what is beside it; undefined: there is no room, or the user wants nothing there. */
export function splitOf(
  { preferences }: Pick<Ui, 'preferences'>,
  columns: number,
): { shown: SplitView; list: number; beside: number } | undefined {
  const { split: shown } = preferences.get();
  if (shown === undefined || columns < leastColumns) return undefined;
  const list = Math.floor(columns * listShare);
  // One column is between them.
  return { shown, list, beside: columns - list - 1 };
}

/** Why nothing can be shown beside the list; undefined: it can. */
export const noSplitReason = ({ terminal }: Pick<Ui, 'terminal'>): string | undefined =>
  terminal.size.get().columns < leastColumns ? `this needs a terminal of ${leastColumns} columns` : undefined;
