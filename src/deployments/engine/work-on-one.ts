import type { Knex } from 'knex';
import type { Bus, Hint } from '../../platform/bus/bus.ts';
import { isDatabaseAway } from '../../platform/db/faults.ts';
import { retryOnConflict } from '../../platform/db/retry-on-conflict.ts';
import { inTransaction } from '../../platform/db/transaction.ts';

interface Work<Due> {
  db: Knex;
  bus: Bus;
  /** Locks one that is due. */
  claim(trx: Knex): Promise<Due | undefined>;
  /** Returns the hints to announce. */
  act(trx: Knex, due: Due): Promise<Hint[]>;
  /** Lets others be claimed before the one that failed. */
  postpone(due: Due, error: unknown): unknown;
}

/**
 * Claims one that is due and works on it, in one transaction. One that fails is postponed, so that it does not hold up
 * those behind it. Returns whether one was due. @throws if the database is away, or nothing could be claimed
 */
export async function workOnOne<Due>({ db, bus, claim, act, postpone }: Work<Due>): Promise<boolean> {
  let due: Due | undefined;
  try {
    await retryOnConflict(() =>
      inTransaction(db, async (trx) => {
        due = await claim(trx);
        const announce = due ? await act(trx, due) : [];
        return { result: undefined, ...bus.announcing(trx, announce) };
      }),
    );
  } catch (error) {
    if (!due || isDatabaseAway(error)) throw error;
    await postpone(due, error);
  }
  return due !== undefined;
}
