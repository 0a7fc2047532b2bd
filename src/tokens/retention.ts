import type { Knex } from 'knex';

const rowsAtATime = 1_000;

/** Deletes tokens that were revoked or expired more than so many days ago. Returns the number. */
export async function dropOldTokens(db: Knex, days: number): Promise<number> {
  let dropped = 0;
  for (let rows = rowsAtATime; rows === rowsAtATime; dropped += rows) {
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `delete from tokens where ctid = any(array(
         select ctid from tokens where least(revoked_at, expires_at) < now() - make_interval(days => :days)
          limit ${rowsAtATime} for update skip locked))`,
      { days },
    );
    rows = rowCount;
  }
  return dropped;
}
