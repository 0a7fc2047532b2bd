import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { runPeriodically } from './run-periodically.ts';

const everyMs = 1_000;

/** Work that becomes due by what is in the database. */
interface DueWork {
  /**
   * Whether there is something to do, as SQL: true as long as something is left. It is asked every second, so it reads the
   * beginning of an index: `(select due_at from … order by due_at limit 1) <= now()`. An `exists` without that order may
   * read a whole table while Postgres has no statistics of it.
   */
  readonly isDue: string;
  wake(): void;
}

/**
 * Wakes what is due, within a second. It asks for all works in one statement: while nothing is due, which is nearly always,
 * each replica would otherwise send one for each of them. If there is no response within a second, or a failure, all are
 * woken and find out.
 */
export function watchDue({ db, log, works }: { db: Knex; log: Logger; works: readonly DueWork[] }) {
  const questions = [...new Set(works.map(({ isDue }) => isDue))];
  const statement = `select array[${questions.map((isDue) => `(${isDue})`).join(',\n')}] as due`;
  const wakeAll = () => works.forEach((work) => work.wake());

  async function wakeDue(): Promise<number> {
    const late = setTimeout(() => {
      log.warn('what is due in deployments is not known after a second; all is looked for');
      wakeAll();
    }, everyMs);
    try {
      const { rows } = await db.raw<{ rows: [{ due: (boolean | null)[] }] }>(statement);
      for (const work of works) if (rows[0].due[questions.indexOf(work.isDue)] === true) work.wake();
    } finally {
      clearTimeout(late);
    }
    return everyMs;
  }

  return runPeriodically({
    run: wakeDue,
    retryMs: everyMs,
    onError(error) {
      log.warn({ err: error }, 'what is due in deployments could not be read; retrying');
      wakeAll();
    },
  });
}
