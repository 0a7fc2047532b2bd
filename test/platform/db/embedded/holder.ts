/**
 * A program that serves a data folder until it is killed, or until its input ends: the tests' process must live on. It says on stdout,
 * a JSON value a line, that it is ready or why not; with `insert` each number whose row was acknowledged.
 */
import { startEmbeddedPostgres } from '../../../../src/platform/db/embedded/index.ts';
import { openDatabase } from '../../../../src/platform/db/index.ts';

const [dataDir = '', task] = process.argv.slice(2);
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
const log = {
  info: (_fields: object, message: string) => say({ message }),
  warn: (_fields: object, message: string) => say({ message }),
  error: (_fields: object, message: string) => say({ message }),
};

try {
  const { connection, firstStart, stop } = await startEmbeddedPostgres({ dataDir, log });
  say({ ready: { firstStart, connection } });
  if (task === 'insert') {
    const db = openDatabase(connection);
    await db.raw('create table numbers (n integer primary key)');
    for (let n = 1; ; n += 1) {
      await db('numbers').insert({ n });
      say({ acknowledged: n });
    }
  }
  process.stdin.on('end', () => void stop()).resume();
} catch (error) {
  say({ failed: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  process.exitCode = 1;
}
