import { safeCell } from '../../output/safe.ts';
import { asOf, isStale } from '../components/age.ts';
import { cutLine, type Line, type Segment } from '../components/line.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import type { AnyTable } from './definition.ts';
import type { TableModel } from './model.ts';

interface Where {
  ui: Ui;
  view: View;
  table: AnyTable;
  columns: number;
}

const gap = '   ';

/** A summary of a list: count, filter, order, marks, and its time if stale. */
export function footerOf({ ui, view, table, columns }: Where, model: TableModel): Line {
  const { filter, sort, marks } = view.list;
  const { freshness } = table.source.get();
  const count = filter === '' ? number(model.total) : `${number(model.items.length)}/${number(model.total)}`;
  const marked = model.ids.length > 0 && marks.size > 0 ? model.chosen.filter((id) => marks.has(id)).length : 0;
  const parts: Segment[] = [
    {
      text: `${isCut(table, model) ? 'latest ' : ''}${count} ${filter === '' ? nounOf(table, model.total) : table.noun}`,
      tone: 'quiet',
    },
    ...(isStale(ui, freshness) ? [{ text: asOf(ui, freshness), tone: 'warn' as const }] : []),
    ...(marked > 0
      ? [{ text: `${ui.theme.signs.mark} ${number(marked)}${hidden(model)}`, tone: 'accent' as const }]
      : []),
    ...(filter === ''
      ? []
      : [{ text: `filter: ${safeCell(filter)}${model.isClose ? ' (similar rows)' : ''}`, tone: 'strong' as const }]),
    ...(sort ? [{ text: `sort: ${sort.title}${sortSign(ui, sort.isReverse)}`, tone: 'quiet' as const }] : []),
  ];
  const segments = parts.map(({ text, tone }) => ({ text: gap + text, tone }));
  return cutLine({ segments }, columns, ui.theme.signs.ellipsis);
}

/** Sign beside the title of the sort column. */
export function sortSign({ settings }: Ui, isReverse: boolean): string {
  if (settings.isAscii) return isReverse ? ' v' : ' ^';
  return isReverse ? ' ↓' : ' ↑';
}

const isCut = ({ most = Number.POSITIVE_INFINITY }: AnyTable, { total }: TableModel) => total >= most;

const nounOf = ({ noun, one = noun.slice(0, -1) }: AnyTable, count: number) => (count === 1 ? one : noun);

const hidden = ({ hiddenMarks }: TableModel) => (hiddenMarks > 0 ? `, ${number(hiddenMarks)} not shown` : '');

/** As in `10,000`. */
const number = (value: number) => value.toLocaleString('en-US');
