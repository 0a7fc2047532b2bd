import { asOf, isStale } from '../components/age.ts';
import { screenOf } from '../screens/index.ts';
import type { AnyTable } from '../table/definition.ts';
import { tableModel } from '../table/model.ts';
import { savedFields } from '../tail/save.ts';
import { searchOf } from '../tail/search.ts';
import { isTail, tailOf } from '../tail/sources.ts';
import { linesAt, tailPane } from '../tail/window.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';

/** The rows of a view, as saved to a file. */
export interface Sheet {
  /** Noun for the rows. */
  noun: string;
  titles: readonly string[];
  rows: readonly (readonly string[])[];
  /** Time of the data if it is stale; else empty. */
  asOf: string;
}

/**
 * Rows that match the filter, in the shown order, with all columns; undefined: the view has no list, or it is not
 * loaded.
 */
export function sheetOf(ui: Ui, view: View): Sheet | undefined {
  if (isTail(view)) return tailSheet(ui, view);
  const table = screenOf(view.place.screen).table?.(ui, view);
  return table?.source.get().value === undefined ? undefined : tableSheet(ui, view, table);
}

function tableSheet(ui: Ui, view: View, table: AnyTable): Sheet {
  const columns = table.columns.flatMap(({ title, text, saved = text }) => (saved === false ? [] : [{ title, saved }]));
  const { freshness } = table.source.get();
  return {
    noun: table.noun,
    titles: columns.map(({ title }) => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')),
    rows: tableModel(ui, view, table).items.map((item) => columns.map(({ saved }) => saved(item))),
    asOf: isStale(ui, freshness) ? asOf(ui, freshness) : '',
  };
}

function tailSheet(ui: Ui, view: View): Sheet {
  const { paused, level } = tailPane(ui, view.key).window.get();
  const robots = ui.data.robots.get().value?.byId;
  const lines = linesAt(paused ?? tailOf(ui, view).get(), level, searchOf(view.list.filter));
  return {
    noun: 'lines',
    titles: ['at', 'robot', 'level', 'source', 'message'],
    rows: lines.map((line) => savedFields(line, (id) => robots?.get(id)?.name ?? id)),
    asOf: '',
  };
}
