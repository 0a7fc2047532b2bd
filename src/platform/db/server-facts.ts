import type { Knex } from 'knex';

/** The size of the database, and how far its clock is ahead of the clock of this machine. */
export async function readServerFacts(db: Knex): Promise<{ databaseBytes: number; clockOffsetSeconds: number }> {
  const { rows: sizes } = await db.raw<{ rows: [{ bytes: number }] }>(
    'select pg_database_size(current_database())::float8 as bytes',
  );
  const sentMs = Date.now();
  const { rows: clocks } = await db.raw<{ rows: [{ ms: number }] }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  );
  // It was read about halfway.
  const readMs = (sentMs + Date.now()) / 2;
  return { databaseBytes: sizes[0].bytes, clockOffsetSeconds: (clocks[0].ms - readMs) / 1_000 };
}
