import type { Line, Row } from './row.ts';

/** A row with what it gave, or why it gave nothing. */
export interface Outcome {
  row: Row;
  lines: Line[];
  failure?: string;
}

const columns = ['row', 'measure', 'ours', 'peer', 'ratio', 'rounds', 'goal', 'met'];

/** Three significant digits, but whole numbers whole: 0.873, 42.5, 1310. */
export const figure = (value: number | undefined): string =>
  value === undefined ? '' : value >= 100 ? value.toFixed(0) : value.toPrecision(3);

/** The table as aligned text; a Markdown table as well. */
export function renderTable(outcomes: readonly Outcome[]): string {
  const body = outcomes.flatMap(({ row, lines, failure }) =>
    failure === undefined
      ? lines.map((line) => cells(row.id, line))
      : [[row.id, `failed: ${failure}`, '', '', '', '', '', 'no']],
  );
  const widths = columns.map((title, at) => Math.max(title.length, ...body.map((line) => line[at]?.length ?? 0)));
  const draw = (line: readonly string[]) => `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [draw(columns), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(draw)].join('\n');
}

function cells(id: string, { measure, ours, peer, ratio, spread, goal }: Line): string[] {
  const met = goal === undefined ? '' : goal.met ? 'yes' : 'MISSED';
  const rounds = spread ? `${spread[0].toFixed(2)}-${spread[1].toFixed(2)}` : '';
  return [
    id,
    measure,
    figure(ours),
    figure(peer),
    ratio === undefined ? '' : `${ratio.toFixed(2)}x`,
    rounds,
    goal?.text ?? '',
    met,
  ];
}

/** The same for machines: one object a row. */
export function renderJson(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ row, lines, failure }) => ({
    id: row.id,
    work: row.work,
    against: row.against,
    failure,
    lines,
  }));
  return JSON.stringify({ node: process.version, platform: `${process.platform}-${process.arch}`, rows }, null, 2);
}

export const missedGoals = (outcomes: readonly Outcome[]): string[] =>
  outcomes.flatMap(({ row, lines }) =>
    lines.flatMap(({ measure, goal }) => (goal && !goal.met ? [`${row.id} ${measure}: wanted ${goal.text}`] : [])),
  );
