import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrate, openDatabase } from '../../src/platform/db/index.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { commandWith, startCommand } from './command.ts';
import { freshDatabase, type FreshDatabase } from './fresh-database.ts';

/** A database with one org. */
async function filled(): Promise<FreshDatabase> {
  const made = await freshDatabase();
  await migrate(made.db);
  await made.db('orgs').insert({ id: randomUUID(), name: 'one', status: 'approved' });
  return made;
}

interface Held extends AsyncDisposable {
  /** Whether a command waits for it. */
  waits(): Promise<boolean>;
}

const waitsAt = async ({ db }: FreshDatabase): Promise<boolean> =>
  (await db('pg_stat_activity').whereRaw("datname = current_database() and wait_event_type = 'Lock'")).length > 0;

/** Holds up whoever reads orgs, until it is disposed of. */
async function orgsLocked(source: FreshDatabase): Promise<Held> {
  const db = openDatabase(source.connection);
  const holder = await db.transaction();
  await holder.raw('lock table orgs in access exclusive mode');
  return {
    waits: () => waitsAt(source),
    async [Symbol.asyncDispose]() {
      await holder.rollback();
      await db.destroy();
    },
  };
}

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a backup that %s ends is not there under its name, and can be taken again',
  async (signal) => {
    await using source = await filled();
    await using folder = await tempDir();
    const path = join(folder.path, 'backup');
    const partial = `${path}.partial`;
    const env = { DATABASE_URL: source.url, SERVICE_DATA_DIR: folder.path };
    {
      await using held = await orgsLocked(source);
      const { child, ended } = startCommand(env, ['backup', path]);
      await until(async () => (await readdir(folder.path)).includes('backup.partial') && (await held.waits()));
      child.kill(signal);
      const result = await ended;
      expect(result.stdout).toBe('');
      if (signal === 'SIGKILL') {
        expect(await readdir(folder.path)).toEqual(['backup.partial']);
        expect(await commandWith(env, 'backup', path)).toMatchObject({
          exitCode: 1,
          stderr: `${partial} exists: another backup is running, or was interrupted; then remove it\n`,
        });
      } else {
        expect(result.stderr).toBe(
          `the backup was interrupted by ${signal}, and its files were removed from ${partial}\n`,
        );
        expect(result.exitCode).toBe(1);
        expect(await readdir(folder.path)).toEqual([]);
      }
    }
    expect(await commandWith(env, 'backup', `${path}-2`)).toMatchObject({ exitCode: 0, stdout: `${path}-2\n` });
    expect(await source.db('orgs').select('name')).toEqual([{ name: 'one' }]);
  },
);

/** Holds up a restore into it after the rows of `orgs`, or while it makes the schema, until it is disposed of. */
async function restoreHeldUp(target: FreshDatabase, where: 'rows' | 'schema'): Promise<Held> {
  // The connection that copies rows has no search path.
  const condition =
    where === 'schema' ? 'true' : `current_setting('search_path') in ('', '""') and exists (select from public.orgs)`;
  await target.db.raw(`
    create function hold_up() returns event_trigger language plpgsql as $$
      begin if ${condition} then perform pg_catalog.pg_advisory_xact_lock(1); end if; end $$;
    create event trigger hold_up on ddl_command_start when tag in ('ALTER TABLE') execute function hold_up()`);
  const db = openDatabase(target.connection);
  const holder = await db.transaction();
  await holder.raw('select pg_advisory_xact_lock(1)');
  return {
    waits: () => waitsAt(target),
    async [Symbol.asyncDispose]() {
      await target.db.raw('drop event trigger hold_up');
      await holder.rollback();
      await db.destroy();
    },
  };
}

test.each([
  ['SIGINT', 'rows'],
  ['SIGTERM', 'rows'],
  ['SIGKILL', 'rows'],
  ['SIGKILL', 'schema'],
] as const)('a restore that %s ends at its %s has restored no row, and works again', async (signal, where) => {
  await using source = await filled();
  await using target = await freshDatabase();
  await using folder = await tempDir();
  const path = join(folder.path, 'backup');
  const env = { DATABASE_URL: target.url, SERVICE_DATA_DIR: folder.path };
  await commandWith({ ...env, DATABASE_URL: source.url }, 'backup', path);
  {
    await using held = await restoreHeldUp(target, where);
    const { child, ended } = startCommand(env, ['restore', path]);
    await until(held.waits);
    child.kill(signal);
    const { stderr } = await ended;
    expect(child.signalCode).toBe(signal);
    const last = stderr.split('\n').filter((line) => !/: \d+ rows$/.test(line));
    expect(last).toEqual(signal === 'SIGKILL' ? [''] : [`the restore was interrupted by ${signal}: run it again`, '']);
  }
  expect(await target.db.schema.hasTable('orgs')).toBe(where === 'rows');
  if (where === 'rows') expect(await target.db('orgs').select('name')).toEqual([]);
  expect(await commandWith(env, 'restore', path)).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('; start the service\n') as string,
  });
  expect(await target.db('orgs').select('name')).toEqual([{ name: 'one' }]);
});
