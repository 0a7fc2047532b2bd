import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { inject } from 'vitest';
import { openDatabase, type Connection } from '../../src/platform/db/index.ts';

export interface FreshDatabase extends AsyncDisposable {
  connection: Exclude<Connection, string>;
  /** For DATABASE_URL. */
  url: string;
  db: Knex;
}

/** The address of a database on the server of the tests. */
export function urlOf(database: string, change: { user?: string; password?: string } = {}): string {
  const { host, port, user, password } = { ...inject('postgres'), ...change };
  return `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
}

/** An empty database on the server of the tests. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = openDatabase(inject('postgres'));
  await admin.raw('create database ??', [database]);
  const connection = { ...inject('postgres'), database };
  const db = openDatabase(connection);
  return {
    connection,
    url: urlOf(database),
    db,
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await admin.raw('drop database ?? with (force)', [database]);
      await admin.destroy();
    },
  };
}
