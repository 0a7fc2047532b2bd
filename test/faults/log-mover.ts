import { readConfig } from '../../src/config.ts';
import { logMover } from '../../src/logs/objects/mover.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { openObjectStore } from '../../src/platform/s3/open.ts';
import { serveCalls } from './called-process.ts';

// Moves days of log records from the database of its argument into the object store of its environment (`move`), or removes
// objects that are not wanted (`clean`).
const db = openDatabase(process.argv[2] ?? '', { name: 'mover' });
const store = await openObjectStore(readConfig(process.env).s3, { answerMs: 2_000, connectMs: 500 });
if (!store) throw new Error('the environment names no object store');
const mover = logMover({
  db,
  store,
  replicaId: '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61',
  log: createLogger('silent', []),
  signal: new AbortController().signal,
  sizes: { objectBytes: 1, rowsAtATime: 4 },
});
await serveCalls((text) => (text === 'move' ? mover.move() : mover.clean()));
await db.destroy();
