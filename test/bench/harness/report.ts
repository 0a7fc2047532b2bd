import { goalText, isMet } from './goal.ts';
import { spreadOf, type MergedLine } from './merging.ts';
import type { Row } from './row.ts';

/** A row with what it gave, or why it gave nothing. */
export interface Outcome {
  row: Row;
  lines: readonly MergedLine[];
  failure?: string;
}

export const columns = ['row', 'measure', 'ours', 'peer', 'ratio', 'spread', 'runs', 'goal', 'met'];

/** Three significant digits, but whole numbers whole: 0.873, 42.5, 1310. */
export const figure = (value: number | undefined): string =>
  value === undefined ? '' : value >= 100 ? value.toFixed(0) : value.toPrecision(3);

const ratioText = (ratio: number | undefined): string => (ratio === undefined ? '' : `${ratio.toFixed(2)}x`);

/** The table as aligned text; a Markdown table as well. */
export function renderTable(outcomes: readonly Outcome[]): string {
  const body = outcomes.flatMap(({ row, lines, failure }) =>
    failure === undefined
      ? lines.map((line) => cellsOf(row.id, line))
      : [[row.id, `failed: ${failure}`, '', '', '', '', '', '', 'no']],
  );
  return drawTable(columns, body);
}

/** A table as aligned Markdown, as Prettier leaves it. */
export function drawTable(titles: readonly string[], body: readonly (readonly string[])[]): string {
  const widths = titles.map((title, at) => Math.max(3, title.length, ...body.map((line) => line[at]?.length ?? 0)));
  const draw = (line: readonly string[]) =>
    `| ${widths.map((width, at) => (line[at] ?? '').padEnd(width)).join(' | ')} |`;
  return [draw(titles), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(draw)].join('\n');
}

/** A line of the table, by column. */
export function cellsOf(id: string, line: MergedLine): string[] {
  const { measure, ours, peer, ratio, spread, runs, goal } = line;
  const text = spreadOf(line) === 'ratio' ? ratioText : figure;
  return [
    id,
    measure,
    figure(ours),
    figure(peer),
    ratioText(ratio),
    spread ? spread.map(text).join('-') : '',
    String(runs),
    goal ? goalText(goal) : '',
    goal ? (isMet(goal, line) ? 'yes' : 'MISSED') : '',
  ];
}

/** The same for machines: one object a row. */
export function renderJson(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ row: { id, work, against }, lines, failure }) => ({
    id,
    work,
    against,
    failure,
    lines: lines.map((line) => ({
      ...line,
      goal: line.goal && { text: goalText(line.goal), met: isMet(line.goal, line) },
    })),
  }));
  return JSON.stringify({ node: process.version, platform: `${process.platform}-${process.arch}`, rows }, null, 2);
}

export const missedGoals = (outcomes: readonly Outcome[]): string[] =>
  outcomes.flatMap(({ row, lines }) =>
    lines.flatMap((line) => {
      const { measure, goal } = line;
      return goal && !isMet(goal, line) ? [`${row.id} ${measure}: wanted ${goalText(goal)}`] : [];
    }),
  );
