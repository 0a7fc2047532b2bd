import type { Knex } from 'knex';

/** The size of the database, and how far its clock is ahead of the clock of this machine. */
export async function readServerFacts(db: Knex): Promise<{ databaseBytes: number; clockOffsetSeconds: number }> {
  const { rows } = await db.raw<{ rows: [{ bytes: number }] }>(
    'select pg_database_size(current_database())::float8 as bytes',
  );
  return { databaseBytes: rows[0].bytes, clockOffsetSeconds: await readClockOffset(db) };
}

/** How far the clock of the database is ahead of `nowMs`, in seconds. `nowMs`: Unix ms; default this machine's clock. */
export async function readClockOffset(db: Knex, nowMs: () => number = Date.now): Promise<number> {
  const sentMs = nowMs();
  const { rows } = await db.raw<{ rows: [{ ms: number }] }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  );
  // It was read about halfway.
  return (rows[0].ms - (sentMs + nowMs()) / 2) / 1_000;
}
