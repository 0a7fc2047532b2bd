import type { Knex } from 'knex';

/**
 * Robots by a part of their name: an index of all pieces of one to three characters of each. The extension pg_trgm, which
 * does the same, is not in every Postgres that the service runs on.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create function name_parts(name_key text) returns text[] language sql immutable strict parallel safe as $$
      select coalesce(array_agg(distinct substr(name_key, start, size)), '{}')
        from generate_series(1, length(name_key)) as start, generate_series(1, 3) as size
       where start + size - 1 <= length(name_key)
    $$;
    create index robots_by_name_part on robots using gin (name_parts(name_key));
    -- Without it, the planner does not know how many names have a piece.
    analyze robots;
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
