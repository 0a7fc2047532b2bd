import { randomBytes } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { migrate, openDatabase } from '../../../../src/platform/db/index.ts';
import { listApplied } from '../../../../src/platform/db/migrations/apply.ts';
import { knownMigrations } from '../../../../src/platform/db/migrations/index.ts';
import { requiredMigrations } from '../../../../src/platform/db/migrations/releases.ts';
import { together } from '../../../support/together.ts';

const required = [...requiredMigrations(knownMigrations)];
const compatible = knownMigrations.slice(required.length);

const newDatabase = () =>
  together(async (own) => {
    const admin = openDatabase(inject('postgres'), { connections: 1 });
    own({ [Symbol.asyncDispose]: () => admin.destroy() });
    const database = `test_${randomBytes(6).toString('hex')}`;
    await admin.raw(`create database ${database}`);
    const drop = async () => {
      await admin.raw(`drop database ${database} with (force)`);
    };
    own({ [Symbol.asyncDispose]: drop });
    const db = openDatabase({ ...inject('postgres'), database });
    own({ [Symbol.asyncDispose]: () => db.destroy() });
    await migrate(db);
    return { db };
  });

const move = (from: string, to: string) =>
  `with moved as (delete from ${from} where name = any(?) returning name, batch, migration_time)
   insert into ${to} (name, batch, migration_time) select * from moved`;

test('the previous release finds no migration that it does not know, if all newer ones are compatible', async () => {
  await using made = await newDatabase();
  expect(await listApplied(made.db)).toEqual({ required, compatible });
});

test('migrations that were compatible in the previous release are required in this one', async () => {
  await using made = await newDatabase();
  await made.db.raw(move('migrations', 'compatible_migrations'), [required.slice(-2)]);
  await migrate(made.db);
  expect(await listApplied(made.db)).toEqual({ required, compatible });
});

test('a release starts beside the next one, and leaves required what that requires', async () => {
  await using made = await newDatabase();
  await made.db.raw(move('compatible_migrations', 'migrations'), [compatible]);
  await made.db('compatible_migrations').insert({ name: '9999_next', batch: 1, migration_time: new Date() });
  await migrate(made.db);
  expect(await listApplied(made.db)).toEqual({ required: knownMigrations, compatible: ['9999_next'] });
});
