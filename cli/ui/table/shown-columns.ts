import type { ListState } from '../views.ts';
import type { AnyTable, TableColumn } from './definition.ts';

/** The columns to lay out: the chosen ones, all of them not wide; else those of the list. Unknown titles are skipped. */
export function columnsToShow(
  { columns }: AnyTable,
  { columns: chosen }: Pick<ListState, 'columns'>,
): readonly TableColumn<unknown>[] {
  const found = (chosen ?? []).flatMap((title) => {
    const column = columns.find((each) => isTitled(each, title));
    return column ? [{ ...column, isWide: false }] : [];
  });
  return found.length > 0 ? found : columns;
}

/** Titles are compared in lower case: people write them in ui.toml. */
export const isTitled = (column: Pick<TableColumn<unknown>, 'title'>, title: string): boolean =>
  column.title.toLowerCase() === title.toLowerCase();
