import { drawTable } from '../../bench/harness/report.ts';
import { replaceSection } from '../../bench/harness/section.ts';
import { lossText, seenText } from './figures.ts';
import type { FaultResult, RunSize } from './run.ts';

const columns = [
  'Fault',
  'Promise',
  'Also tested by',
  'Callers saw',
  'Disturbance',
  'Slowest call',
  'Loss',
  'Robots',
  'Streams',
  'Measured',
  'Seed',
];

/** The cells of the fault's line. */
export function lineOf({ fault, figures, violations }: FaultResult, size: RunSize, at: Date): string[] {
  const tests = (fault.tests ?? []).map((path) => `[${nameOf(path)}](../../test/${path})`);
  return [
    ...[fault.name, fault.promise, tests.join(', '), seenText(figures)],
    ...[`${seconds(figures.disturbedMs)} of ${fault.limits.disturbedSeconds} s`, `${seconds(figures.slowestMs)} s`],
    ...[lossText(violations), String(size.robots), String(size.streams)],
    ...[at.toISOString().slice(0, 10), String(size.seed)],
  ];
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

const nameOf = (path: string) =>
  path
    .split('/')
    .at(-1)
    ?.replace(/\.test\.ts$/, '') ?? '';

/** The page with the line of this fault replaced or added, in the order of `names`. @throws Error without the markers */
export const updatePage = (page: string, line: readonly string[], names: readonly string[]): string =>
  replaceSection(page, 'faults', (section) => {
    const others = rowsOf(section).filter(([name]) => name !== line[0]);
    const place = ([name = '']: readonly string[]) => (names.includes(name) ? names.indexOf(name) : names.length);
    return drawTable(
      columns,
      [...others, line].sort((one, other) => place(one) - place(other)),
    );
  });

const rowsOf = (section: string): string[][] =>
  section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
