/** Measures one curve: it is sent a `CurveJob` over IPC, answers with a `CurveAnswer`, and ends. */
import { startBenchPostgres } from '../harness/database.ts';
import type { CurveAnswer, CurveJob } from './curve.ts';
import { curves } from './index.ts';

process.once('SIGTERM', () => process.exit(143));
// Whoever started this is gone: nobody else ends what this has started.
process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
process.once('message', (job: CurveJob) => {
  void measure(job)
    .catch((error: unknown): CurveAnswer => ({
      failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }))
    .then((answer) => process.send?.(answer, () => process.exit()));
});

async function measure({ id, isQuick }: CurveJob): Promise<CurveAnswer> {
  const curve = curves.find((one) => one.id === id);
  if (!curve) throw new Error(`no curve ${id}`);
  await using postgres = await startBenchPostgres();
  return { chart: await curve.run((name) => postgres.create(name), isQuick) };
}
