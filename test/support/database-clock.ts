import type { Knex } from 'knex';
import { vi } from 'vitest';

/** The clock of a database and of this process, apart from timers, which run on. */
export interface DatabaseClock extends Disposable {
  set(at: Date): Promise<void>;
}

const functions = ['now', 'transaction_timestamp', 'statement_timestamp', 'clock_timestamp'];

/** Puts a clock before that of Postgres, for connections that are opened from now on. */
export async function databaseClock(db: Knex): Promise<DatabaseClock> {
  const { rows } = await db.raw<{ rows: { table: string; column: string; value: string }[] }>(
    `select adrelid::regclass::text as "table", attname as "column", pg_get_expr(adbin, adrelid) as value
       from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum`,
  );
  await db.raw(
    `create table public.clock_of_the_test (ahead interval not null);
     insert into public.clock_of_the_test values ('0');
     ${functions
       .map(
         (name) => `create function public.${name}() returns timestamptz language sql stable parallel safe
           as 'select pg_catalog.${name}() + ahead from public.clock_of_the_test';`,
       )
       .join('\n')}
     ${rows
       .filter(({ value }) => /^now\(\)/.test(value))
       .map(({ table, column }) => `alter table ${table} alter "${column}" set default public.now();`)
       .join('\n')}
     do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$`,
  );
  vi.useFakeTimers({ toFake: ['Date'] });
  return {
    async set(at) {
      await db.raw('update public.clock_of_the_test set ahead = ?::timestamptz - pg_catalog.clock_timestamp()', [at]);
      vi.setSystemTime(at);
    },
    [Symbol.dispose]: () => void vi.useRealTimers(),
  };
}
