import type { AnyTable } from '../table/definition.ts';
import { TableView } from '../table/TableView.tsx';
import type { Ui } from '../ui.ts';
import type { Screen } from './screen.ts';

/** A screen that is one list. */
export const tableScreen = (screen: Omit<Screen, 'table' | 'draw'>, table: (ui: Ui) => AnyTable): Screen => ({
  ...screen,
  table,
  draw: ({ ui, view, columns, rows }) => (
    <TableView ui={ui} view={view} table={table(ui)} columns={columns} rows={rows} />
  ),
});
