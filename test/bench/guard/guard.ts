import { readFile, writeFile } from 'node:fs/promises';
import { projectPath } from '../harness/child.ts';
import { measureAll, toMeasure, type Measured, type MeasureOnce } from '../harness/measuring.ts';
import { minuteOf } from '../harness/page.ts';
import { drawTable } from '../harness/report.ts';
import type { Row } from '../harness/row.ts';
import { baselineLines, verdictsOf, type BaselineLine, type Verdict } from './rules.ts';

/** The ten cheapest rows with a peer in the same run and a goal, of those that need no other program: 3 to 15 s each. */
export const guardedRows = ['H1', 'H2', 'H3', 'L3', 'E1', 'C1', 'C2', 'C3', 'D1', 'D2'];

/** Processes of one set. A row that is worse, or too noisy for the baseline, is measured with as many again. */
const processes = 3;

const path = projectPath('test/bench/guard/baseline.json');
const readBaseline = async () => JSON.parse(await readFile(path, 'utf8')) as BaselineLine[];

/** Measures rows until each is settled, at most twice. */
async function settle(
  rows: readonly Measured[],
  isSettled: (each: Measured) => boolean,
  once: MeasureOnce,
  signal: AbortSignal,
): Promise<void> {
  await measureAll(rows, once, signal);
  const again = rows.filter((each) => each.failure === undefined && !isSettled(each));
  for (const each of again) each.processes *= 2;
  await measureAll(again, once, signal);
}

/** Compares rows with the baseline, which does not have the `unknown` ones. */
export async function compare(rows: readonly Row[], once: MeasureOnce, signal: AbortSignal) {
  const lines = await readBaseline();
  const isKnown = ({ id }: Row) => lines.some(({ row }) => row === id);
  const measured = rows.filter(isKnown).map((row) => toMeasure(row, processes));
  const isSettled = (each: Measured) => !verdictsOf(lines, each).some(({ isWorse }) => isWorse);
  await settle(measured, isSettled, once, signal);
  const verdicts = measured.flatMap((each) => verdictsOf(lines, each));
  return {
    unknown: rows.filter((row) => !isKnown(row)).map(({ id }) => id),
    text: verdictTable(verdicts),
    worse: verdicts.filter(({ isWorse }) => isWorse).map(({ row, measure }) => `${row} ${measure}`),
    failures: failuresOf(measured),
  };
}

/** Measures the rows in two sets of processes and writes their lines into the baseline, unless a row fails; the other rows keep theirs. Gives what failed. */
export async function updateBaseline(rows: readonly Row[], once: MeasureOnce, signal: AbortSignal): Promise<string[]> {
  const { version } = JSON.parse(await readFile(projectPath('package.json'), 'utf8')) as { version: string };
  const linesOf = (each: Measured) => baselineLines(each, { version, measured: minuteOf(new Date()) });
  const measured = rows.map((row) => toMeasure(row, 2 * processes));
  await settle(measured, (each) => linesOf(each).every(({ isGuarded }) => isGuarded), once, signal);
  const failures = failuresOf(measured);
  if (signal.aborted || failures.length > 0) return failures;
  const kept = (await readBaseline()).filter(({ row }) => !rows.some(({ id }) => id === row));
  const place = ({ row }: BaselineLine) => guardedRows.indexOf(row);
  const lines = [...kept, ...measured.flatMap(linesOf)].sort((one, other) => place(one) - place(other));
  await writeFile(path, `${JSON.stringify(lines, null, 2)}\n`);
  return [];
}

const failuresOf = (measured: readonly Measured[]): string[] =>
  measured.flatMap(({ row, failure }) => (failure === undefined ? [] : [`${row.id}: ${failure}`]));

const percent = (share: number | undefined): string => (share === undefined ? '' : `${(share * 100).toFixed(1)} %`);

function verdictTable(verdicts: readonly Verdict[]): string {
  const titles = ['row', 'measure', 'baseline', 'now', 'loss', 'noise', 'verdict'];
  return drawTable(
    titles,
    verdicts.map(({ row, measure, ratio, now, loss, noise, isGuarded, isWorse }) => [
      ...[row, measure, `${ratio.toFixed(2)}x`, now === undefined ? '' : `${now.toFixed(2)}x`],
      ...[percent(loss), percent(noise), isWorse ? 'WORSE' : isGuarded ? 'ok' : 'not guarded: noise'],
    ]),
  );
}
