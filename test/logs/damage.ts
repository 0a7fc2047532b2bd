import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openDatabase } from '../../src/platform/db/index.ts';
import { startIsolatedWorld, type IsolatedWorld } from '../support/world.ts';
import type { LogWorld } from './support.ts';

const pageBytes = 8_192;

interface DamagedPage {
  relation: string;
  page: number;
  /** Zeros are a valid page without rows. */
  with: 'noise' | 'zeros';
}

/**
 * A service on a copy of the database, of which pages were overwritten in their files before Postgres read them. The first
 * service ends.
 */
export async function startOnDamagedCopy(
  { world }: LogWorld & { world: IsolatedWorld },
  pages: readonly DamagedPage[],
): Promise<IsolatedWorld> {
  const { name, orgId, orgToken } = world;
  const copy = `${name}_copy`;
  const files: string[] = [];
  for (const { relation } of pages) {
    const { rows } = await world.db.raw<{ rows: [{ path: string }] }>(
      'select pg_relation_filepath(?::regclass) as path',
      [relation],
    );
    files.push(rows[0].path);
  }
  await world.stop(0);
  const admin = openDatabase(inject('postgres'));
  const drop = async () => {
    await admin.raw('drop database if exists ?? with (force)', [copy]);
    await admin.destroy();
  };
  try {
    // Postgres copies a database to which nobody is connected.
    await admin.raw('alter database ?? allow_connections false', [name]);
    await admin.raw('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = ?', [name]);
    await admin.raw('create database ?? template ?? strategy file_copy', [copy, name]);
    await admin.raw('alter database ?? allow_connections true', [name]);
    const { rows } = await admin.raw<{ rows: [{ oid: number; folder: string }] }>(
      `select oid, current_setting('data_directory') as folder from pg_database where datname = ?`,
      [copy],
    );
    const [{ oid, folder }] = rows;
    for (const [index, { page, with: content }] of pages.entries())
      await overwrite(join(folder, (files[index] ?? '').replace(/^base\/\d+/, `base/${oid}`)), page, content);
    const damaged = await startIsolatedWorld({ shares: { name: copy, orgId, orgToken } });
    return {
      ...damaged,
      async [Symbol.asyncDispose]() {
        await damaged[Symbol.asyncDispose]();
        await drop();
      },
    };
  } catch (error) {
    await drop();
    throw error;
  }
}

async function overwrite(path: string, page: number, content: DamagedPage['with']): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    if (size < (page + 1) * pageBytes) throw new Error(`${path} has no page ${page}: it has ${size} bytes`);
    await file.write(
      content === 'zeros' ? Buffer.alloc(pageBytes) : randomBytes(pageBytes),
      0,
      pageBytes,
      page * pageBytes,
    );
  } finally {
    await file.close();
  }
}
