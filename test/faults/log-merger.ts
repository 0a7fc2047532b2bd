import { logStatService } from '../../src/log-stats/service.ts';
import { segmentMerging } from '../../src/logs/segments/merging.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { serveCalls } from './called-process.ts';

// Merges everything that is stored in the database of its argument, and adds its counts to their hours and days, once for
// each call. Its responses also say how many records were damaged so far.
const db = openDatabase(process.argv[2] ?? '', { name: 'merger' });
let lost = 0;
const merging = segmentMerging(db, { log: createLogger('silent', []), onLost: (records) => (lost += records) });
await serveCalls(
  async () => {
    await merging.run(true);
    await logStatService(db).rollUp({ isAllDue: true });
  },
  () => ({ lost }),
);
await db.destroy();
