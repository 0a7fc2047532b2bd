import type { Knex } from 'knex';

const rowsAtATime = 1_000;

/** Deletes enrollment keys that were revoked, expired or used up more than so many days ago. Returns the number. */
export async function dropOldKeys(db: Knex, days: number): Promise<number> {
  let dropped = 0;
  for (let rows = rowsAtATime; rows === rowsAtATime; dropped += rows) {
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `delete from enrollment_keys where ctid = any(array(
         select ctid from enrollment_keys
          where least(revoked_at, expires_at, case when uses >= max_uses then last_used_at end) < now() - make_interval(days => :days)
          limit ${rowsAtATime} for update skip locked))`,
      { days },
    );
    rows = rowCount;
  }
  return dropped;
}
