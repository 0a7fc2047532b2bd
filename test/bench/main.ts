/**
 * `npm run bench [-- ROW…] [--rounds N] [--quick] [--json] [--strict]`: measures the built product (`npm run build` first)
 * beside its peers, and prints a table. Ratios count; absolute figures are the machine's. How to read it: docs/reference/performance.md.
 */
import { parseArgs } from 'node:util';
import { startBenchPostgres, type BenchPostgres } from './harness/database.ts';
import { missedGoals, renderJson, renderTable, type Outcome } from './harness/report.ts';
import type { Row, RowContext } from './harness/row.ts';
import { rows } from './rows/index.ts';

const usage = `npm run bench -- [ROW...] [options]

  --rounds N   rounds of each row that count (default: the row's own number)
  --quick      a third of the rounds, a quarter of the requests: to see that it runs
  --json       the results as JSON
  --strict     exit 1 when a goal is missed (a row that crashes always does)

Rows:
${rows.map(({ id, work, against }) => `  ${id}   ${work}; against ${against}`).join('\n')}
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const note = (text: string) => process.stderr.write(`${text}\n`);
const unknown = positionals.filter((id) => !rows.some((row) => row.id === id.toUpperCase()));
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);

if (values.help) {
  process.stdout.write(usage);
} else if (unknown.length > 0 || (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))) {
  note(unknown.length > 0 ? `no row ${unknown.join(', ')}` : '--rounds wants a whole number above 0');
  note(usage);
  process.exitCode = 2;
} else {
  const chosen = rows.filter(
    (row) => positionals.length === 0 || positionals.some((id) => id.toUpperCase() === row.id),
  );
  const outcomes = await measure(chosen);
  process.stdout.write(`${values.json ? renderJson(outcomes) : renderTable(outcomes)}\n`);
  const missed = missedGoals(outcomes);
  for (const goal of missed) note(`missed: ${goal}`);
  if (outcomes.some(({ failure }) => failure !== undefined) || (values.strict && missed.length > 0))
    process.exitCode = 1;
}

/** One row after the other: two at once would measure each other. */
async function measure(chosen: readonly Row[]): Promise<Outcome[]> {
  let postgres: BenchPostgres | undefined;
  const context: RowContext = {
    rounds: (usual) => rounds ?? (values.quick ? Math.ceil(usual / 3) : usual),
    requests: (usual) => (values.quick ? Math.ceil(usual / 4) : usual),
    database: async (name, options) => (postgres ??= await startBenchPostgres()).create(name, options),
    note: (text) => void note(text),
  };
  const outcomes: Outcome[] = [];
  try {
    for (const row of chosen) {
      note(`${row.id}  ${row.work}`);
      outcomes.push(
        await row.run(context).then(
          (lines) => ({ row, lines }),
          (error: unknown) => {
            note(error instanceof Error ? (error.stack ?? error.message) : String(error));
            return {
              row,
              lines: [],
              failure: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error),
            };
          },
        ),
      );
    }
  } finally {
    await postgres?.[Symbol.asyncDispose]();
  }
  return outcomes;
}
