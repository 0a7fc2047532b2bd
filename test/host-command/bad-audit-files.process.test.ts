import { hash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { auditService, auditTrimming } from '../../src/audit/service.ts';
import { canonicalJson } from '../../src/kernel/canonical-json.ts';
import { addEntries, unguarded } from '../support/audit-log.ts';
import { smallDisk } from '../support/small-disk.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';

import { asOthers, commandWith, startCommand } from './command.ts';
import { exported, oldLog, range, trim } from './old-log.ts';

interface Files {
  files: { sha256: string; last_seq: number; last_hash: string; entries: number; name: string }[];
}

const manifestOf = async (path: string) => JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8')) as Files;

/** Replaces the file of an export by these lines, with its digest. */
async function rewrite(path: string, lines: readonly string[]): Promise<void> {
  const manifest = await manifestOf(path);
  const bytes = gzipSync(lines.map((line) => `${line}\n`).join(''));
  const [file] = manifest.files;
  if (!file) throw new Error('the export has no file');
  await writeFile(join(path, file.name), bytes);
  manifest.files = [{ ...file, sha256: hash('sha256', bytes) }];
  await writeFile(join(path, 'manifest.json'), JSON.stringify(manifest));
}

const linesOf = async (path: string): Promise<string[]> => {
  const [file] = (await manifestOf(path)).files;
  return gunzipSync(await readFile(join(path, file?.name ?? '')))
    .toString()
    .trimEnd()
    .split('\n');
};

test.each([
  [
    'another file',
    (path: string) => writeFile(join(path, 'manifest.json'), '{"format":2}'),
    /is not the manifest of an audit export/,
  ],
  [
    'a file with other bytes',
    async (path: string) => writeFile(join(path, (await manifestOf(path)).files[0]?.name ?? ''), gzipSync('{}\n')),
    /is missing or damaged: its SHA-256 is not the manifest's/,
  ],
  [
    'a file without its last line',
    async (path: string) => rewrite(path, (await linesOf(path)).slice(0, -1)),
    /its entries do not lead to the last hash of the manifest/,
  ],
  [
    'a file without a line',
    async (path: string) => rewrite(path, (await linesOf(path)).toSpliced(7, 1)),
    /is not an export: entry 8 is missing/,
  ],
  [
    'a file with another text',
    async (path: string) => rewrite(path, (await linesOf(path)).with(7, '{"at":"2020","seq":8}')),
    /its entries do not lead to the last hash of the manifest/,
  ],
] as const)('%s deletes nothing', async (_, change, sentence) => {
  await using folder = await tempDir();
  await using log = await oldLog(50, 20, folder.path);
  const path = await exported(log, join(folder.path, 'export'));
  await change(path);
  const { exitCode, stdout, stderr } = await trim(log, path);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(sentence);
  expect(await log.seqs()).toEqual(range(1, 70));
});

test('files of another database, of a range that is not the oldest, and of young entries delete nothing', async () => {
  await using folder = await tempDir();
  await using log = await oldLog(50, 0, folder.path);
  const first = await exported(log, join(folder.path, 'first'));
  await addEntries(log.db, log.orgId, 10, '{}', 40);
  await auditService(log.db).sealAll();
  const longer = await exported(log, join(folder.path, 'longer'), '--days', '35', '--org', log.orgId);
  expect((await trim(log, first)).exitCode).toBe(0);
  const left = await log.seqs();
  expect(left).toEqual(range(51, 61));
  expect((await trim(log, longer)).stderr).toBe(
    `the log of org ${log.orgId} begins at entry 51, and the file at entry 1: nothing was deleted\n`,
  );

  const young = await exported(log, join(folder.path, 'young'), '--days', '35');
  await unguarded(log.db, 'update audit set hash = sha256(hash) where seq = 60');
  expect((await trim(log, young)).stderr).toBe(
    `entry 60 of org ${log.orgId} is not the one in the file: nothing was deleted\n`,
  );
  expect(await log.seqs()).toEqual(left);
});

test('an export by a host whose clock was ahead deletes no young entry', async () => {
  await using folder = await tempDir();
  await using log = await oldLog(50, 0, folder.path);
  const path = await exported(log, join(folder.path, 'export'));
  await unguarded(log.db, 'update audit set at = now(), hash = null');
  await auditService(log.db).sealAll();
  const texts = await auditTrimming(log.db).entriesAfter(log.orgId, 0, 50);
  const entries = texts.map((text) => JSON.parse(text) as { hash: string });
  await rewrite(
    path,
    texts.map((text) => canonicalJson(JSON.parse(text.replace(/,"hash":"[0-9a-f]{64}"/, '')))),
  );
  const manifest = await manifestOf(path);
  manifest.files = manifest.files.map((file) => ({ ...file, last_hash: entries.at(-1)?.hash ?? '' }));
  await writeFile(join(path, 'manifest.json'), JSON.stringify(manifest));
  expect((await trim(log, path)).stderr).toBe(
    `the file of org ${log.orgId} has entries younger than 30 days: nothing was deleted\n`,
  );
  expect(await log.seqs()).toEqual(range(1, 50));
});

test('a broken chain is not exported', async () => {
  await using folder = await tempDir();
  await using log = await oldLog(50, 0, folder.path);
  await unguarded(log.db, "update audit set object_id = 'x' where seq = 17");
  const { exitCode, stderr } = await commandWith(log.env, 'audit', 'export', join(folder.path, 'export'));
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`the audit log of org ${log.orgId} is broken at entry 17`);
  expect(await readdir(folder.path)).toEqual([]);
});

testWith('mount')('a full disk ends an export in a sentence, and leaves no file', async () => {
  await using folder = await tempDir();
  await using log = await oldLog(6_000, 0, folder.path);
  using disk = smallDisk(16 * 1024, '711');
  const { exitCode, stderr } = await commandWith(log.env, 'audit', 'export', join(disk.path, 'export'));
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^the export was interrupted, and its files were removed from .*\.partial: ENOSPC: no space/);
  expect(await readdir(disk.path)).toEqual([]);
});

testWith('root')('a missing permission is named in a sentence', async () => {
  await using folder = await tempDir();
  await using log = await oldLog(50, 0, folder.path);
  const locked = join(folder.path, 'locked');
  await mkdir(locked, { mode: 0o500 });
  const path = await exported(log, join(folder.path, 'export'));
  await chmod(join(path, 'manifest.json'), 0);
  for (const [line, sentence] of [
    [['audit', 'export', join(locked, 'there')], /there cannot be created \(EACCES\)\n$/],
    [['audit', 'trim', path, '--yes'], /manifest\.json cannot be read \(EACCES\)\n$/],
  ] as const) {
    const { exitCode, stderr } = await startCommand(log.env, line, asOthers).ended;
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(sentence);
  }
  expect(await log.seqs()).toEqual(range(1, 50));
});
