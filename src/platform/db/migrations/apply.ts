import type { Knex } from 'knex';
import { knownMigrations, migrationSource } from './index.ts';
import { requiredMigrations } from './releases.ts';

/**
 * A release refuses to start if `migrations` has a name that it does not know, and does not read the other table. That has the
 * migrations with which the previous release may start. The next release moves their names into `migrations`.
 */
const requiredTable = 'migrations';
const compatibleTable = 'compatible_migrations';
/** Tables and sequences of knex. */
export const migrationTables = [requiredTable, compatibleTable].flatMap((name) => [name, `${name}_lock`]);

interface Applied {
  required: string[];
  compatible: string[];
}

/** In the order of their application; empty for a database that was never migrated. */
export async function listApplied(db: Knex): Promise<Applied> {
  const names = async (table: string): Promise<string[]> =>
    (await db.schema.hasTable(table)) ? db(table).orderBy('id').pluck('name') : [];
  return { required: await names(requiredTable), compatible: await names(compatibleTable) };
}

/** The names that this release does not know and has to know. */
export const unknownMigrations = ({ required }: Applied): string[] =>
  required.filter((name) => !knownMigrations.includes(name));

/**
 * Applies the first migrations of this release, by default all of them, in order. The caller prevents that two do it at a time: knex's
 * own locks are cleared, since a server that is killed between two of knex's steps leaves them set forever.
 * @param beforeChanges awaited if any migration is pending
 */
export async function applyMigrations(
  db: Knex,
  wanted: readonly string[] = knownMigrations,
  beforeChanges: () => PromiseLike<unknown> = () => Promise.resolve(),
): Promise<void> {
  const applied = await listApplied(db);
  const mustBeKnown = requiredMigrations(knownMigrations);
  const moved = applied.compatible.filter((name) => mustBeKnown.has(name));
  if (moved.length > 0) await moveToRequired(db, moved);
  const done = new Set([...applied.required, ...applied.compatible]);
  if (wanted.every((name) => done.has(name)) && (await db.schema.hasTable(compatibleTable))) return;
  await beforeChanges();
  const isRequired = (name: string) => mustBeKnown.has(name) || applied.required.includes(name);
  await migrate(db, requiredTable, wanted.filter(isRequired));
  await migrate(
    db,
    compatibleTable,
    wanted.filter((name) => !isRequired(name)),
  );
}

/** Names of the other table may be of the next release. */
async function migrate(db: Knex, tableName: string, names: readonly string[]): Promise<void> {
  const all = await migrationSource.getMigrations([]);
  const getMigrations = async () => all.filter(([name]) => names.includes(name));
  await db.migrate.forceFreeMigrationsLock({ tableName });
  await db.migrate.latest({
    tableName,
    migrationSource: { ...migrationSource, getMigrations },
    disableMigrationsListValidation: true,
  });
}

const moveToRequired = (db: Knex, names: string[]): PromiseLike<unknown> =>
  db.raw(
    `with moved as (delete from ${compatibleTable} where name = any(?) returning id, name, batch, migration_time)
     insert into ${requiredTable} (name, batch, migration_time) select name, batch, migration_time from moved order by id`,
    [names],
  );
