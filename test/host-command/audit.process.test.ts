import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { auditService, auditTrimming, chainHashOfText, chainStart } from '../../src/audit/service.ts';

import { addEntries, unguarded } from '../support/audit-log.ts';

import { tempDir } from '../support/temp-dir.ts';

import { until } from '../support/until.ts';
import { commandWith, startCommand } from './command.ts';
import { addOrg, exported, lockHeld, oldLog, range, trim } from './old-log.ts';

test.each([
  [['audit'], 'audit needs export, trim or list'],
  [['audit', 'trim'], 'audit trim needs the folder of an export'],
  [['audit', 'trim', 'x'], 'This cannot be undone: repeat the line with --yes to delete the entries in x'],
  [['audit', 'list', 'x'], 'Unexpected argument "x"'],
  [['audit', 'export', '--yes'], '--yes belongs to erase and audit trim'],
  [['audit', 'trim', 'x', '--days', '40'], '--days belongs to audit export'],
  [['backup', '--org', 'x'], '--org belongs to audit export'],
])('the line %j is refused in a sentence', async (words, sentence) => {
  await using folder = await tempDir();
  const stderr = `${sentence}. See: fleet-control-service --help\n`;
  expect(await commandWith({ SERVICE_DATA_DIR: folder.path }, ...words)).toEqual({ exitCode: 2, stdout: '', stderr });
});

test('old entries are written to a file as the hashes cover them, and only then deleted; the log says so', async () => {
  await using folder = await tempDir();
  await using log = await oldLog(6_200, 30, folder.path);
  const other = await addOrg(log, 0, 5);
  const path = await exported(log, join(folder.path, 'export'));
  expect(await log.seqs()).toEqual(range(1, 6_230));
  const name = `audit-${log.orgId}-1-6200.jsonl.gz`;
  expect((await readdir(path)).sort()).toEqual([name, 'manifest.json']);
  const bytes = await readFile(join(path, name));
  const lines = gunzipSync(bytes).toString().trimEnd().split('\n');
  const head = lines.reduce((previous, line) => chainHashOfText(previous, line), chainStart(log.orgId));
  const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8')) as { files: object[] };
  expect(manifest.files).toEqual([
    {
      org_id: log.orgId,
      name,
      first_seq: 1,
      last_seq: 6_200,
      entries: 6_200,
      bytes: bytes.length,
      previous_hash: chainStart(log.orgId).toString('hex'),
      last_hash: head.toString('hex'),
      sha256: hash('sha256', bytes),
    },
  ]);

  const trimmed = await trim(log, path);
  expect(trimmed).toMatchObject({ exitCode: 0, stdout: 'deleted 6200 exported entries of 1 orgs\n' });
  expect(trimmed.stderr).toBe(`org ${log.orgId}: entries 1 to 6200 are deleted; the log begins at entry 6201\n`);
  expect(await log.seqs()).toEqual(range(6_201, 6_231));
  const last = await log.db('audit').where({ org_id: log.orgId, seq: 6_231 }).first('operation', 'after', 'actor_kind');
  expect(last).toMatchObject({
    operation: 'trimAudit',
    actor_kind: 'system',
    after: { seq: 6_200, hash: head.toString('hex'), first_seq: 1, file_sha256: hash('sha256', bytes) },
  });
  expect(await log.db('audit').where({ org_id: other }).count({ n: '*' })).toEqual([{ n: 5 }]);
  const again = await trim(log, path);
  expect(again).toMatchObject({ exitCode: 0, stderr: `org ${log.orgId}: entries 1 to 6200 were deleted before\n` });
  const listed = await commandWith(log.env, 'audit', 'list');
  expect(listed.stdout).toMatch(
    new RegExp(
      `^org ${log.orgId}: entries 1 to 6200, exported .*, deleted .* by .+@.+, head 6200:${head.toString('hex')}, file SHA-256 .{64}\n$`,
    ),
  );
});

test('entries with large details are read in parts, and all of them are exported', async () => {
  await using folder = await tempDir();
  await using log = await oldLog(5, 0, folder.path);
  await addEntries(log.db, log.orgId, 30, JSON.stringify({ text: 'x'.repeat(1024 * 1024) }), 450);
  await auditService(log.db).sealAll();
  expect(await auditTrimming(log.db).entriesAfter(log.orgId, 0, 500)).toHaveLength(12);
  const { stderr } = await commandWith(log.env, 'audit', 'export', join(folder.path, 'export'));
  expect(stderr).toContain(`org ${log.orgId}: entries 1 to 35`);
});

test('entries that a wrong clock dated into the future are exported and deleted with the old ones that follow', async () => {
  await using folder = await tempDir();
  await using log = await oldLog(10, 0, folder.path);
  for (const [count, daysAgo] of [
    [1, -27_000],
    [5, 450],
    [1, -27_000],
    [2, 0],
  ] as const) {
    await addEntries(log.db, log.orgId, count, '{}', daysAgo);
    await auditService(log.db).sealAll();
  }
  const path = await exported(log, join(folder.path, 'export'));
  expect(await trim(log, path)).toMatchObject({ exitCode: 0, stdout: 'deleted 16 exported entries of 1 orgs\n' });
  expect(await log.seqs()).toEqual(range(17, 20));
});

test('the next export begins where the log does; what only trims wrote is not exported', async () => {
  await using folder = await tempDir();
  await using log = await oldLog(40, 0, folder.path);
  await trim(log, await exported(log, join(folder.path, 'first')));
  await log.db.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica');
    await trx.raw("update audit set at = now() - interval '500 days', seq = null, hash = null");
  });
  await auditService(log.db).sealAll();
  const empty = await commandWith(log.env, 'audit', 'export', join(folder.path, 'second'));
  expect(empty).toMatchObject({ exitCode: 1, stdout: '' });
  expect(empty.stderr).toMatch(/^there are no sealed entries from before .* to export\n$/);
  expect(await readdir(folder.path)).toEqual(['first']);
});

const locks = [
  [
    'before the entry about it is sealed',
    'select pg_advisory_xact_lock(hashtextextended(?, 0))',
    (id: string) => [`audit ${id}`],
    12_001,
  ],
  ['between two steps', 'select from audit where org_id = ? and seq = 7000 for update', (id: string) => [id], 7_001],
] as const;

test.each(locks)('a trim that kill -9 ends %s is finished by the next one', async (_, sql, bindings, left) => {
  await using folder = await tempDir();
  await using log = await oldLog(11_990, 10, folder.path);
  const path = await exported(log, join(folder.path, 'export'));
  {
    await using held = await lockHeld(log, sql, bindings(log.orgId));
    // On a busy machine, the first may give up its wait for the lock before the second has started.
    await until(async () => {
      const { child, ended } = startCommand(log.env, ['audit', 'trim', path, '--yes']);
      await until(held.waits);
      const { exitCode, stderr } = await trim(log, path);
      child.kill('SIGKILL');
      await ended;
      return exitCode === 1 && stderr === 'another audit trim is running: wait until it ends\n';
    });
    expect((await log.db('audit').count<{ n: number }[]>({ n: '*' }))[0]?.n).toBe(left);
  }
  // A reader sees the whole log, or what is left from the anchor on; also a backup that is taken now.
  const isBegun = left < 12_000;
  const list = await auditService(log.db).list(log.orgId, { after: 0, limit: 1 });
  expect(list.value(0, 'seq')).toBe(isBegun ? 11_991 : 1);
  expect((await auditService(log.db).anchorOf(log.orgId))?.seq).toBe(isBegun ? 11_990 : undefined);
  const backup = join(folder.path, 'backup');
  expect((await commandWith(log.env, 'backup', backup)).exitCode).toBe(0);
  expect((await commandWith(log.env, 'check', backup)).stdout).toContain(
    isBegun
      ? 'audit chain verified: 11 entries of 1 orgs; the logs of 1 orgs say'
      : 'audit chain verified: 12001 entries of 1 orgs\n',
  );

  await until(async () => (await trim(log, path)).exitCode === 0);
  expect(await log.seqs()).toEqual(range(11_991, 12_001));
  expect(await log.db('audit').where({ operation: 'trimAudit' }).count({ n: '*' })).toEqual([{ n: 1 }]);
});

test('a backup of a trimmed log is verified from where it begins, and a log that was only cut is broken', async () => {
  await using folder = await tempDir();
  await using log = await oldLog(50, 20, folder.path);
  await trim(log, await exported(log, join(folder.path, 'export')));
  const check = async (name: string) => {
    const path = join(folder.path, name);
    expect((await commandWith(log.env, 'backup', path)).exitCode).toBe(0);
    return commandWith(log.env, 'check', path);
  };
  expect((await check('whole')).stdout).toMatch(
    /audit chain verified: 21 entries of 1 orgs; the logs of 1 orgs say that their oldest entries were exported and deleted, the last on 20.*Z\n$/,
  );
  const [trimmed] = await log.db('audit_trims').select('*');
  for (const [name, change] of [
    ['other-time', "exported_at = '2020-01-01'"],
    ['other-file', "file_sha256 = sha256('')"],
  ] as const) {
    await unguarded(log.db, `update audit_trims set ${change}`);
    expect((await check(name)).stderr).toMatch(/no entry records their export\n$/);
    await unguarded(log.db, 'update audit_trims set exported_at = ?, file_sha256 = ?', [
      trimmed.exported_at,
      trimmed.file_sha256,
    ]);
  }
  await unguarded(log.db, 'update audit_trims set hash = sha256(hash)');
  expect((await check('moved')).stderr).toMatch(/is broken: entry 51 does not match its hash\n$/);
  const [row] = await log.db('audit').where({ seq: 60 }).select('hash');
  await unguarded(log.db, 'update audit_trims set seq = 60, hash = ?', [row.hash]);
  expect((await check('cut')).stderr).toMatch(
    /is broken: entries up to 60 are missing, and no entry records their export\n$/,
  );
});

test.each([
  ['deletes an entry', 'delete from audit where seq = 1'],
  [
    'begins the log later at once',
    "insert into audit_trims (org_id, seq, hash, first_seq, exported_at, file_sha256, created_by, effective_at) select org_id, seq, hash, 1, now(), '', '', now() from audit where seq = 40",
  ],
  ['begins it later without an entry', 'update audit_trims set effective_at = now()'],
  ['begins it at another entry', 'update audit_trims set seq = 41'],
  ['forgets it', 'delete from audit_trims'],
  ['forgets all', 'truncate audit_trims'],
])('Postgres refuses a statement that %s', async (_, sql) => {
  await using folder = await tempDir();
  await using log = await oldLog(50, 0, folder.path);
  await log.db.raw(
    "insert into audit_trims (org_id, seq, hash, first_seq, exported_at, file_sha256, created_by) select org_id, seq, hash, 1, now(), '', '' from audit where seq = 30",
  );
  await expect(log.db.raw(sql)).rejects.toThrow(/audit: (the log is trimmed only after|an entry is neither)/);
});

const begin = (seq: number, hash = 'hash') =>
  `insert into audit_trims (org_id, seq, hash, first_seq, exported_at, file_sha256, created_by)
   select org_id, seq, ${hash}, 1, now(), '', '' from audit where seq = ${seq}`;

test('Postgres lets no statement begin the log after a young entry or one that does not exist, nor delete a young one', async () => {
  await using folder = await tempDir();
  await using log = await oldLog(50, 5, folder.path);
  for (const sql of [
    begin(55),
    begin(50, 'sha256(hash)'),
    begin(50).replace('select org_id, seq', 'select org_id, seq + 1'),
  ])
    await expect(log.db.raw(sql), sql).rejects.toThrow('audit: the log is trimmed only after');
  await trim(log, await exported(log, join(folder.path, 'export')));
  await unguarded(log.db, 'update audit_trims set seq = 56');
  await unguarded(log.db, "update audit set at = now() - interval '31 days' where seq in (51, 52)");
  await expect(log.db.raw('delete from audit')).rejects.toThrow('audit: an entry is neither');
  await log.db.raw('delete from audit where seq < 53');
  expect(await log.seqs()).toEqual(range(53, 56));
});

test('a trim that a longer one overtook is listed as replaced, and its entries are deleted; a long list says so', async () => {
  await using folder = await tempDir();
  await using log = await oldLog(50, 0, folder.path);
  const first = await exported(log, join(folder.path, 'first'));
  await addEntries(log.db, log.orgId, 10, '{}', 410);
  await auditService(log.db).sealAll();
  const longer = await exported(log, join(folder.path, 'longer'));
  await log.db.raw(begin(50));
  expect((await trim(log, longer)).exitCode).toBe(0);
  const listed = async () => (await commandWith(log.env, 'audit', 'list')).stdout.split('\n');
  expect((await listed()).sort().slice(-2)).toEqual([
    expect.stringMatching(/entries 1 to 50, .*, replaced by a later trim, began /),
    expect.stringMatching(/entries 1 to 60, .*, deleted /),
  ]);
  expect(await trim(log, first)).toMatchObject({
    exitCode: 0,
    stderr: `org ${log.orgId}: entries 1 to 50 were deleted before\n`,
  });
  await unguarded(log.db, 'update audit_trims set finished_at = null');
  expect((await trim(log, first)).stderr).toContain('up to entry 60, is not finished: repeat that one instead');

  await unguarded(
    log.db,
    'insert into audit_trims select org_id, n, hash, 1, exported_at, file_sha256, created_at, created_by from audit_trims, generate_series(100, 198) n where seq = 60',
  );
  const lines = await listed();
  expect(lines.slice(100)).toEqual(['only the latest 100 are shown', '']);
});
