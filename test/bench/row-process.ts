/** Measures one row: it is sent a `RowJob` over IPC, answers with a `RowAnswer`, and ends. */
import { startBenchPostgres, type BenchPostgres } from './harness/database.ts';
import { roundsOf, type RowAnswer, type RowJob } from './harness/row-runs.ts';
import type { Line, RowContext } from './harness/row.ts';
import { rows } from './rows/index.ts';

const note = (text: string) => void process.stderr.write(`${text}\n`);

process.once('SIGTERM', () => process.exit(143));
// Whoever started this is gone: nobody else ends what this has started.
process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
process.once('message', (job: RowJob) => {
  void measure(job)
    .then(
      (lines): RowAnswer => ({ lines }),
      (error: unknown): RowAnswer => {
        note(error instanceof Error ? (error.stack ?? error.message) : String(error));
        return { failure: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
      },
    )
    .then((answer) => process.send?.(answer, () => process.exit()));
});

async function measure(job: RowJob): Promise<Line[]> {
  const row = rows.find(({ id }) => id === job.id);
  if (!row) throw new Error(`no row ${job.id}`);
  let postgres: BenchPostgres | undefined;
  const context: RowContext = {
    rounds: (usual) => roundsOf(job, usual),
    requests: (usual) => (job.isQuick ? Math.ceil(usual / 4) : usual),
    database: async (name, options) => (postgres ??= await startBenchPostgres()).create(name, options),
    note,
  };
  try {
    return await row.run(context);
  } finally {
    await postgres?.[Symbol.asyncDispose]();
  }
}
