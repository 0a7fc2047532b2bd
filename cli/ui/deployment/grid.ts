import { isTerminal, percentOf, humanize, robotWaitOf } from '../../output/deployment-format.ts';
import { safeCell } from '../../output/safe.ts';
import type { DeploymentTarget } from '../data/data.ts';
import { age } from '../components/age.ts';
import { cutLine, lineOf, type Line, type Segment } from '../components/line.ts';
import { perView } from '../per-view.ts';
import type { Tone } from '../theme.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { statusTone } from './deployment.ts';

/** Letters of statuses, each unique: uppercase if the robot has ended. */
const letters: Readonly<Record<string, string>> = {
  waiting: '.',
  dispatched: '>',
  downloading: 'd',
  installing: 'i',
  verifying: 'v',
  cancelling: 'c',
  rolling_back: 'r',
  applied: 'A',
  failed: 'F',
  rolled_back: 'R',
  cancelled: 'C',
};
const letterOf = (status: string) => letters[status] ?? '?';

const targetTone = (status: string): Tone => (status === 'dispatched' ? 'quiet' : statusTone(status));

/** Layout of the cells. */
interface GridShape {
  perRow: number;
  /** 2 if there is room for a space between them. */
  cellWidth: 1 | 2;
  /** Rows of the screen that it uses. */
  rows: number;
}

/** All cells at once if they fit, as wide as that allows. */
function gridShape(total: number, columns: number, rows: number): GridShape {
  const width = Math.max(2, columns - 2);
  const cellWidth = Math.ceil(total / Math.floor(width / 2)) <= rows ? 2 : 1;
  const perRow = Math.floor(width / cellWidth);
  return { perRow, cellWidth, rows: Math.max(1, Math.min(rows, Math.ceil(total / perRow))) };
}

/** State that is not drawn: cells per row, visible rows, and the first of them, as last drawn. */
export const gridPane = perView(() => ({ perRow: 1, rows: 1, top: 0 }));

/** Index of the cursor: at its robot, wherever that is now. */
export function cursorIndex(targets: readonly DeploymentTarget[], { list }: View): number {
  const found = list.cursorId === undefined ? -1 : targets.findIndex(({ robot_id: id }) => id === list.cursorId);
  return found === -1 ? Math.max(0, Math.min(list.cursorIndex, targets.length - 1)) : found;
}

/** The cells that fit, also of 10,000 robots; below them the robot under the cursor, and the legend. */
export function gridLines(
  ui: Ui,
  view: View,
  targets: readonly DeploymentTarget[],
  columns: number,
  rows: number,
): Line[] {
  const { signs } = ui.theme;
  const shape = gridShape(targets.length, columns, Math.max(1, rows - 2));
  const pane = gridPane(ui, view.key);
  const cursor = cursorIndex(targets, view);
  const row = Math.floor(cursor / shape.perRow);
  const last = Math.max(0, Math.ceil(targets.length / shape.perRow) - shape.rows);
  [pane.perRow, pane.rows] = [shape.perRow, shape.rows];
  pane.top = Math.max(0, Math.min(last, Math.max(row - shape.rows + 1, Math.min(row, pane.top))));
  const lines = Array.from({ length: shape.rows }, (_, index) => {
    const from = (pane.top + index) * shape.perRow;
    return cellsLine(targets.slice(from, from + shape.perRow), cursor - from, shape.cellWidth, signs.cursor);
  });
  const all = [...lines, detailLine(ui, targets[cursor]), legendLine(targets, last > 0)];
  return all.slice(0, rows).map((line) => cutLine(line, columns, signs.ellipsis));
}

function cellsLine(targets: readonly DeploymentTarget[], cursor: number, width: 1 | 2, cursorSign: string): Line {
  const segments: Segment[] = [{ text: ' ' }];
  targets.forEach(({ status }, index) => {
    const letter = letterOf(status);
    const isCursor = index === cursor;
    // Without room beside the letter, the cursor replaces it; the line below shows the status.
    const text = width === 2 ? `${isCursor ? cursorSign : ' '}${letter}` : isCursor ? cursorSign : letter;
    const tone = isCursor ? 'strong' : targetTone(status);
    const before = segments.at(-1);
    if (before?.tone === tone && !isCursor) before.text += text;
    else segments.push({ text, tone });
  });
  return { segments };
}

/** The robot under the cursor, and its status. */
function detailLine(ui: Ui, target: DeploymentTarget | undefined): Line {
  if (!target) return lineOf('');
  const { robot_id: id, status, reason, message, updated_at: at } = target;
  const name = ui.data.robots.get().value?.byId.get(id)?.name ?? id;
  const said = [
    percentOf(target),
    reason === undefined ? '' : humanize(reason),
    message?.split('\n')[0] ?? '',
    isTerminal(status) ? '' : robotWaitOf(target),
    age(at),
  ].filter((text) => text !== '');
  return {
    segments: [
      { text: ` ${ui.theme.signs.cursor} ${safeCell(name)}`, tone: 'strong' },
      { text: `  ${humanize(safeCell(status))}`, tone: targetTone(status) },
      { text: `  ${safeCell(said.join('  '))}` },
    ],
  };
}

/** Letters in use, with their counts. */
function legendLine(targets: readonly DeploymentTarget[], isCut: boolean): Line {
  const counts = new Map<string, number>();
  for (const { status } of targets) counts.set(status, (counts.get(status) ?? 0) + 1);
  // Unknown statuses come last.
  const rank = (status: string) => (status in letters ? Object.keys(letters).indexOf(status) : Infinity);
  const known = [...counts].sort(([one], [other]) => (rank(one) === rank(other) ? 0 : rank(one) - rank(other)));
  return {
    segments: [
      ...known.map(([status, count]) => ({
        text: `  ${letterOf(status)} ${count.toLocaleString('en-US')} ${humanize(safeCell(status))}`,
        tone: targetTone(status),
      })),
      ...(isCut ? [{ text: '  more below and above', tone: 'quiet' as const }] : []),
    ],
  };
}
