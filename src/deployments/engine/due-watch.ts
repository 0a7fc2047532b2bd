import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { isDatabaseAway } from '../../platform/db/faults.ts';
import { runPeriodically } from './run-periodically.ts';

const everyMs = 1_000;

/** Work that becomes due by what is in the database. */
export interface DueWork {
  /** Whether there is something to do, as SQL. It must be cheap: it is asked every second. */
  readonly isDue: string;
  wake(): void;
}

/**
 * Wakes what is due, within a second. It asks for all works in one statement: each replica would otherwise send twenty a
 * second while nothing is due, which is nearly always. If that statement fails, all works are woken and find out.
 */
export function watchDue({ db, log, works }: { db: Knex; log: Logger; works: readonly DueWork[] }) {
  const questions = [...new Set(works.map(({ isDue }) => isDue))];
  const statement = `select array[${questions.map((isDue) => `(${isDue})`).join(',\n')}] as due`;

  async function wakeDue(): Promise<number> {
    const { rows } = await db.raw<{ rows: [{ due: (boolean | null)[] }] }>(statement);
    for (const work of works) if (rows[0].due[questions.indexOf(work.isDue)] === true) work.wake();
    return everyMs;
  }

  return runPeriodically({
    run: wakeDue,
    retryMs: everyMs,
    onError(error) {
      log.warn({ err: error }, 'what is due in deployments could not be read; retrying');
      if (!isDatabaseAway(error)) for (const work of works) work.wake();
    },
  });
}
