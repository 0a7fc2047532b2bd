import { createInterface } from 'node:readline';
import { segmentMerging } from '../../src/logs/segments/merging.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/logging.ts';

// Merges everything that is stored in the database of its argument, once for each line of input. Its response is a line
// of JSON: how many records were damaged so far, and the error if there was one.
const db = openDatabase(process.argv[2] ?? '', { name: 'merger' });
let lost = 0;
const merging = segmentMerging(db, { log: createLogger('silent', []), onLost: (records) => (lost += records) });
for await (const call of createInterface({ input: process.stdin })) {
  const error = await merging.run(true).then(
    () => undefined,
    (reason: unknown) => String(reason),
  );
  process.stdout.write(`${JSON.stringify({ call, lost, error })}\n`);
}
await db.destroy();
