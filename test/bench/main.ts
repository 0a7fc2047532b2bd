/**
 * `npm run bench [-- ROW…] [options]`: measures the built product (`npm run build` first) beside its peers, and prints a
 * table. Ratios count; absolute figures are the machine's. How to read it: docs/reference/performance.md.
 */
import { parseArgs } from 'node:util';
import { projectPath } from './harness/child.ts';
import { mergeRuns } from './harness/merging.ts';
import { shuffled } from './harness/pairing.ts';
import { missedGoals, renderJson, renderTable, type Outcome } from './harness/report.ts';
import { processesOf, runRow } from './harness/row-runs.ts';
import type { Line, Row } from './harness/row.ts';
import { rows } from './rows/index.ts';

const usage = `npm run bench -- [ROW...] [options]

  --processes N  processes that measure each row, of which the median counts (default: 3; 1 with --quick)
  --rounds N     rounds of each process that count (default: its share of the row's own number)
  --quick        a third of the rounds, a quarter of the requests: to see that it runs
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
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const note = (text: string) => process.stderr.write(`${text}\n`);
const unknown = positionals.filter((id) => !rows.some((row) => row.id === id.toUpperCase()));
const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));
const [processes, rounds] = [numberOf(values.processes), numberOf(values.rounds)];
const isCount = (value: number | undefined) => value === undefined || (Number.isInteger(value) && value > 0);

if (values.help) {
  process.stdout.write(usage);
} else if (unknown.length > 0 || !isCount(processes) || !isCount(rounds)) {
  note(unknown.length > 0 ? `no row ${unknown.join(', ')}` : '--processes and --rounds want a whole number above 0');
  note(usage);
  process.exitCode = 2;
} else {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort());
  const chosen = rows.filter(
    (row) => positionals.length === 0 || positionals.some((id) => id.toUpperCase() === row.id),
  );
  const outcomes = await measure(chosen, ending.signal);
  if (ending.signal.aborted) process.exitCode = 130;
  else report(outcomes);
}

/**
 * One process after the other, because two at once would measure each other. Those of all rows are in random order: what
 * the machine does for some minutes falls on several rows, not on every process of one.
 */
async function measure(chosen: readonly Row[], signal: AbortSignal): Promise<Outcome[]> {
  const found = chosen.map((row) => ({
    ...{ row, processes: processesOf(row, values.quick, processes) },
    ...{ runs: [] as Line[][], failure: undefined as string | undefined },
  }));
  for (const one of shuffled(found.flatMap((each) => Array.from({ length: each.processes }, () => each)))) {
    if (signal.aborted) break;
    if (one.failure !== undefined) continue;
    note(`${one.row.id}  ${one.row.work} (${one.runs.length + 1} of ${one.processes})`);
    const job = { id: one.row.id, rounds, isQuick: values.quick, processes: one.processes };
    const answer = await runRow(projectPath('dist/bench/row-process.js'), job, signal);
    if ('lines' in answer) one.runs.push(answer.lines);
    else one.failure = answer.failure;
  }
  return found.map(({ row, runs, failure }) =>
    failure === undefined ? { row, lines: mergeRuns(runs) } : { row, lines: [], failure },
  );
}

function report(outcomes: readonly Outcome[]): void {
  process.stdout.write(`${values.json ? renderJson(outcomes) : renderTable(outcomes)}\n`);
  const missed = missedGoals(outcomes);
  for (const goal of missed) note(`missed: ${goal}`);
  if (outcomes.some(({ failure }) => failure !== undefined) || (values.strict && missed.length > 0))
    process.exitCode = 1;
}
