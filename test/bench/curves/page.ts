import type { Chart } from './chart.ts';

/** Where and when a curve was measured. */
interface Machine {
  at: Date;
  cores: number;
  load: number; // of one minute, before it was measured
}

/** The picture of a curve, its figures as a table, and its machine, in Markdown. */
export function sectionOf(id: string, { title, x, y, series }: Chart, { at, cores, load }: Machine): string {
  const columns = series.map(({ name }) => name);
  const rows = (series[0]?.points ?? []).map(([value], index) => [
    value.toLocaleString('en-US'),
    ...series.map(({ points }) => String(Number((points[index]?.[1] ?? 0).toPrecision(3)))),
  ]);
  const table = [[x, ...columns], columns.concat('').map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  const others = load > 0.5 ? `other work ran on it, a load of ${load.toFixed(1)}` : 'no other work ran on it';
  return `![${title}, by ${x}](curves/${id}.svg)

The figures are ${y}.
Measured on ${at.toISOString().slice(0, 10)}, on a machine with ${cores} cores; ${others}.

${table.join('\n')}
`;
}
