import { randomBytes } from 'node:crypto';
import { chown, stat } from 'node:fs/promises';
import type { Knex } from 'knex';
import { expect } from 'vitest';
import { smallDisk } from '../support/small-disk.ts';
import { testWith } from '../support/tools.ts';
import { messagesOf, records, startIsolatedLogWorld } from './support.ts';

async function moveSegments(db: Knex, tablespace: string): Promise<void> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'log_segments'::regclass`,
  );
  for (const { name } of rows) await db.raw('alter table ?? set tablespace ??', [name, tablespace]);
}

testWith('mount')(
  'while the disk of the database is full no record is acknowledged, and with room each is stored once',
  async () => {
    using disk = smallDisk(4 * 1_048_576);
    await using logs = await startIsolatedLogWorld();
    const { db } = logs.world;
    const { rows } = await db.raw<{ rows: [{ folder: string }] }>(`select current_setting('data_directory') as folder`);
    const { uid, gid } = await stat(rows[0].folder);
    await chown(disk.path, uid, gid);
    await db.raw(`create tablespace small location '${disk.path}'`);
    await moveSegments(db, 'small');
    try {
      let link = await logs.robot();
      const long = records(2, 21).map((record) => ({ ...record, message: randomBytes(8_000).toString('base64') }));
      expect(await logs.send(link, records(1, 1))).toMatchObject({ kind: 'stored' });
      disk.fill();
      const outcomes: string[] = [];
      for (let turn = 0; turn < 3; turn += 1) {
        outcomes.push((await logs.send(link, long)).kind);
        link = await logs.relink(link);
      }
      expect(outcomes).toEqual(['failed', 'failed', 'failed']);
      expect(messagesOf(await logs.all(link.robotId))).toEqual(['line 1']);
      disk.empty();
      expect(await logs.send(link, long)).toMatchObject({ kind: 'stored', seq: 21 });
      await logs.merge();
      expect((await logs.all(link.robotId)).map(({ seq }) => seq)).toEqual(
        Array.from({ length: 21 }, (_, at) => at + 1),
      );
    } finally {
      await moveSegments(db, 'pg_default');
      await db.raw('drop tablespace small');
    }
  },
);
