import { cellsOf, columns as figureColumns, drawTable, type Outcome } from './report.ts';
import type { RowJob } from './row-runs.ts';
import { replaceSection } from './section.ts';

/** When and where lines of the page were measured. */
export interface Measurement {
  /** UTC, to the minute: it names the measurement in the column `measured`. */
  at: string;
  /** What each process did. */
  size: string;
  node: string;
  postgres: string;
  cores: number;
}

const lineColumns = [...figureColumns, 'measured'];
const measurementColumns = ['measured', 'each process', 'Node', 'Postgres', 'cores'];

/** What each process did: `full`, `quick`, or with the number of its rounds. */
export const sizeOf = ({ isQuick, rounds }: Pick<RowJob, 'isQuick' | 'rounds'>): string =>
  [isQuick ? 'quick' : 'full', ...(rounds === undefined ? [] : [`rounds: ${rounds}`])].join(', ');

/** `2026-11-28 19:50` */
export const minuteOf = (date: Date): string => date.toISOString().slice(0, 16).replace('T', ' ');

/**
 * The page with the lines of all rows that were measured replaced, and a line for this measurement. The other lines stay, and so do
 * the measurements that they name. @throws Error without the markers
 */
export const updatePage = (
  page: string,
  outcomes: readonly Outcome[],
  measurement: Measurement,
  order: readonly string[],
): string => replaceSection(page, 'bench', (section) => updateTables(section, outcomes, measurement, order));

function updateTables(
  section: string,
  outcomes: readonly Outcome[],
  measurement: Measurement,
  order: readonly string[],
): string {
  const [oldLines = [], oldMeasurements = []] = tablesIn(section);
  const measured = outcomes.filter(({ lines }) => lines.length > 0);
  const kept = oldLines.filter(([id]) => !measured.some(({ row }) => row.id === id));
  const added = measured.flatMap(({ row, lines }) => lines.map((line) => [...cellsOf(row.id, line), measurement.at]));
  const place = ([id = '']: readonly string[]) => (order.includes(id) ? order.indexOf(id) : order.length);
  const lines = [...kept, ...added].sort((one, other) => place(one) - place(other));
  const named = new Set(lines.map((line) => line.at(-1)));
  const { at, size, node, postgres, cores } = measurement;
  const others = oldMeasurements.filter(([name]) => name !== at);
  const measurements = [...others, [at, size, node, postgres, String(cores)]].filter(([name]) => named.has(name));
  return [drawTable(lineColumns, lines), drawTable(measurementColumns, measurements)].join('\n\n');
}

/** The cells of each Markdown table, without its titles. */
function tablesIn(text: string): string[][][] {
  const tables = text.split('\n\n').filter((part) => part.trim().startsWith('|'));
  return tables.map((table) =>
    table
      .trim()
      .split('\n')
      .slice(2)
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );
}
