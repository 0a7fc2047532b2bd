import type { Knex } from 'knex';
import { plainArray, textArray } from '../platform/db/arrays.ts';
import { settlesAfter } from './model.ts';

/** How long a replica works on an erasure before another may, unless it renews this. */
const claimFor = '2 minutes';
const renewEveryMs = 30_000;

interface Row {
  id: string;
  claimed_until: Date;
}

export interface Claim {
  id: string; // of the erasure
  /** Ends it. `waitsFor`: why the erasure is not finished. Does nothing if another replica has claimed it. */
  release(waitsFor: readonly string[]): Promise<void>;
}

/** Each erasure is done by one replica at a time. Two would do no harm, but the same work. */
export function erasureClaims(db: Knex) {
  /** Returns the end of the claim; undefined if another replica has claimed it. */
  async function renew(id: string, until: Date): Promise<Date | undefined> {
    const { rows } = await db.raw<{ rows: Row[] }>(
      `update erasures set claimed_until = now() + interval '${claimFor}' where id = ? and claimed_until = ?
       returning id, claimed_until`,
      [id, until],
    );
    return rows[0]?.claimed_until;
  }

  /** Renewed until it is released. */
  function held({ id, claimed_until }: Row): Claim {
    let until: Date | undefined = claimed_until;
    let renewal = Promise.resolve();
    const renewing = setInterval(() => {
      renewal = renewal.then(async () => {
        until = until && (await renew(id, until).catch(() => until)); // the next one may succeed
      });
    }, renewEveryMs);
    return {
      id,
      async release(waitsFor) {
        clearInterval(renewing);
        await renewal;
        if (until)
          await db('erasures')
            .where({ id, claimed_until: until })
            .update({ claimed_until: null, waits_for: textArray(waitsFor) });
      },
    };
  }

  return {
    /**
     * Claims the oldest unfinished erasure that no replica works on, except these. A claim that ends much later is of a clock of
     * the database that was set back since, and so is a later time to settle.
     */
    async claim(except: readonly string[]): Promise<Claim | undefined> {
      const { rows } = await db.raw<{ rows: Row[] }>(
        `update erasures set claimed_until = now() + interval '${claimFor}',
                settles_at = least(settles_at, now() + interval '${settlesAfter}') where id = (
           select id from erasures where finished_at is null and coalesce(claimed_until not between now() and now() + 2 * interval '${claimFor}', true) and id <> all(?::uuid[])
            order by created_at, id limit 1 for update skip locked
         ) returning id, claimed_until`,
        [plainArray(except)],
      );
      return rows[0] && held(rows[0]);
    },
  };
}
