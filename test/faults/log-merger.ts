import { createInterface } from 'node:readline';
import { logStatService } from '../../src/log-stats/service.ts';
import { segmentMerging } from '../../src/logs/segments/merging.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/logging.ts';

// Merges everything that is stored in the database of its argument, and adds its counts to their hours and days, once for
// each line of input. Its response is a line
// of JSON: how many records were damaged so far, and the error if there was one.
const db = openDatabase(process.argv[2] ?? '', { name: 'merger' });
let lost = 0;
const merging = segmentMerging(db, { log: createLogger('silent', []), onLost: (records) => (lost += records) });
async function mergeAll(): Promise<void> {
  await merging.run(true);
  await logStatService(db).rollUp({ isAllDue: true });
}

for await (const call of createInterface({ input: process.stdin })) {
  const error = await mergeAll().then(
    () => undefined,
    (reason: unknown) => String(reason),
  );
  process.stdout.write(`${JSON.stringify({ call, lost, error })}\n`);
}
await db.destroy();
