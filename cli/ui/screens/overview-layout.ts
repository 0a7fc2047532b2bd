import { panes, type Pane } from './overview-panes.ts';

/** Cells of a list with its name, below the tabs of the screens. */
interface Area {
  pane: Pane;
  top: number;
  left: number;
  columns: number;
  rows: number;
}

export interface Layout {
  chartRows: number;
  /** Lists side by side in two columns, one below the other, or one at a time. */
  kind: 'beside' | 'stacked' | 'single';
  areas: readonly Area[];
}

const leastBeside = { columns: 100, rows: 18 };
const leastStacked = 20;
/** With at least this many rows, lists one below the other have the same height. */
const leastEqual = 34;
/** Of one list at a time. */
const leastWithChart = 14;
/** Of a list without the keys: its name and two rows. */
const smallRows = 3;

/** Left and right column of lists side by side. The longer names are on the right. */
const columnsOfPanes: readonly (readonly Pane[])[] = [
  ['Fleets', 'Unhealthy robots'],
  ['Active deployments', 'Conditions', 'Recent events'],
];

interface Screen {
  columns: number;
  rows: number;
  /** Charts have more than one line if there is room. */
  hasCharts: boolean;
}

/** The line of totals is above all of it. `keys`: the list that has the keys. */
export function overviewLayout({ columns, rows, hasCharts }: Screen, keys: Pane): Layout {
  if (columns >= leastBeside.columns && rows >= leastBeside.rows) {
    const chartRows = !hasCharts ? 1 : rows >= 34 ? 7 : rows >= 25 ? 5 : 1;
    const left = Math.floor(columns * 0.5);
    const areas = columnsOfPanes.flatMap((column, index) => {
      const [from, width] = index === 0 ? [0, left - 1] : [left, columns - left];
      return below(column, heights(rows - 1 - chartRows, column.length), 1 + chartRows, from, width);
    });
    return { chartRows, kind: 'beside', areas };
  }
  if (rows >= leastStacked) {
    const chartRows = hasCharts && rows >= 42 ? 5 : 1;
    const room = rows - 1 - chartRows;
    const large = room - smallRows * (panes.length - 1);
    const each =
      rows >= leastEqual ? heights(room, panes.length) : panes.map((pane) => (pane === keys ? large : smallRows));
    return { chartRows, kind: 'stacked', areas: below(panes, each, 1 + chartRows, 0, columns) };
  }
  const chartRows = rows >= leastWithChart ? 1 : 0;
  return { chartRows, kind: 'single', areas: below([keys], [rows - 1 - chartRows], 1 + chartRows, 0, columns) };
}

/** Nearly equal heights; the last ones are the larger ones. */
const heights = (rows: number, count: number): number[] =>
  Array.from({ length: count }, (_each, index) => Math.floor((rows + index) / count));

function below(some: readonly Pane[], each: readonly number[], top: number, left: number, columns: number): Area[] {
  let at = top;
  return some.map((pane, index) => {
    const rows = each[index] ?? 0;
    const area = { pane, top: at, left, columns, rows };
    at += rows;
    return area;
  });
}
