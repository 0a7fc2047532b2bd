import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { auditService } from '../../../../src/audit/service.ts';
import { addEntries, unguarded } from '../../../support/audit-log.ts';
import { signedInHome, type Home } from '../../../support/cli.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { ageLog, exportAndTrim, exportOld } from '../../../support/trimmed-log.ts';
import { startIsolatedWorld } from '../../../support/world.ts';

const verify = (home: Home, ...args: string[]) => home.cli(['audit', 'verify', ...args]);

/** The head of the log until entry `seq`. */
async function headAt({ db }: Awaited<ReturnType<typeof startIsolatedWorld>>, seq: number): Promise<string> {
  const { hash } = await db('audit').where({ seq }).first<{ hash: Buffer }>('hash');
  return `${seq}:${hash.toString('hex')}`;
}

test('a log that begins after exported entries is verified from there, alone, with its files, and the files alone', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  await using folder = await tempDir();
  await ageLog(world, 1_200, '{"name":"Ōsaka\u2028","size":1.50}');
  const [early, last] = [await headAt(world, 700), await headAt(world, 1_200)];
  await addEntries(world.db, world.orgId, 1_500);
  const whole = await verify(home);
  const exported = await exportOld(world, folder.path, 'before');
  expect(await verify(home, '--files', exported)).toMatchObject({ code: 0, stdout: whole.stdout, stderr: '' });
  await exportAndTrim(world, folder.path, 'exports');

  const alone = await verify(home);
  expect(alone.code).toBe(0);
  expect(alone.stdout).toMatch(/^2701:[0-9a-f]{64}\n$/);
  expect(alone.stderr).toMatch(
    /^Verified entries 1201 to 2701; the log says that entries before 1201 were exported on 20\S+Z and deleted\. Verify their files with --files <folder>\.\n$/,
  );
  for (const from of [alone.stdout, whole.stdout, last])
    expect(await verify(home, '--from', from.trim())).toMatchObject({ code: 0, stdout: alone.stdout });
  const lost = await verify(home, '--from', early);
  expect(lost).toMatchObject({ code: 1, stdout: '' });
  expect(lost.stderr).toMatch(
    /the log begins at entry 1201, after entry 700 of --from: older entries were exported on \S+ and deleted\n.*--files <folder>/,
  );

  for (const from of [[], ['--from', early], ['--from', last], ['--from', whole.stdout.trim()]])
    expect(await verify(home, '--files', folder.path, ...from)).toMatchObject({
      code: 0,
      stdout: alone.stdout,
      stderr: '',
    });
  expect((await verify(home, '--files', folder.path, '--fields', 'entries,first,seq')).stdout).toBe('2701\t1\t2701\n');
  expect(await verify(home, '--files', folder.path, '--offline', '--from', early)).toMatchObject({
    code: 0,
    stdout: `${last}\n`,
  });

  const { body } = await world.call('GET', '/api/audit?after=0&limit=1');
  expect(body).toMatchObject({ items: [{ seq: 1_201 }], anchor: { seq: 1_200, hash: last.slice(5) } });
});

test('a list that would reach exported entries says until which they were exported, and no other does', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  await using folder = await tempDir();
  await ageLog(world, 20);
  await exportAndTrim(world, folder.path, 'exports');
  const noteOf = async (...args: string[]) =>
    (await home.cli(['audit', 'list', ...args], { columns: 200 })).stdout.match(/Entries up to .*deleted\./)?.[0];
  const note = /^Entries up to 20 were exported on 20\S+Z and deleted\.$/;
  for (const args of [[], ['--after', '10'], ['--operation', 'createOrg']]) expect(await noteOf(...args)).toMatch(note);
  expect(await noteOf('--after', '20')).toBeUndefined();
});

test('several exports join one another, in any folder, and a missing one is named', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  await using folder = await tempDir();
  await ageLog(world, 50);
  for (const days of [450, 420]) await addEntries(world.db, world.orgId, 50, '{}', days);
  await auditService(world.db).sealAll();
  const before = await headAt(world, 100);
  for (const [name, days] of [
    ['a', '480'],
    ['b', '440'],
    ['c', '400'],
  ] as const)
    await exportAndTrim(world, folder.path, name, days);
  const joined = await verify(home, '--files', folder.path);
  expect(joined).toMatchObject({ code: 0, stderr: '' });
  await rename(join(folder.path, 'b'), `${folder.path}-b`);
  expect((await verify(home, '--files', folder.path)).stderr).toContain('no file has entries 51 to 100');
  await rm(`${folder.path}-b`, { recursive: true });
  expect((await verify(home, '--files', join(folder.path, 'a'))).stderr).toMatch(
    /the log begins at entry 151, after entry 50 of the exported files/,
  );
  const stderr = 'Entries 1 to 100 were not verified: no file has them.\n';
  const c = ['--files', join(folder.path, 'c')];
  expect(await verify(home, ...c)).toMatchObject({ code: 0, stdout: joined.stdout, stderr });
  expect(await verify(home, ...c, '--offline')).toMatchObject({ code: 0, stderr });
  expect(await verify(home, ...c, '--from', before)).toMatchObject({ code: 0, stdout: joined.stdout, stderr });
  expect(
    (
      await verify(
        home,
        ...c,
        '--from',
        before.replace(/.$/, (sign) => (sign === '0' ? '1' : '0')),
      )
    ).stderr,
  ).toContain('has another entry 100 than expected');
});

const moveAnchor = 'update audit_trims set (seq, hash) = (select seq, hash from audit where audit.seq = 60)';

test.each([
  [
    'entries are removed and the beginning is moved',
    [moveAnchor],
    'entries up to 60 are missing, and no entry records their export',
  ],
  [
    'the hash of the beginning is changed',
    ['update audit_trims set hash = sha256(hash)'],
    'entry 51 does not fit its hash',
  ],
  ['the beginning is forgotten', ['delete from audit_trims'], 'entry 1 is missing: after 0 follows 51'],
  [
    'the entry about it is changed',
    [`update audit set after = '{}' where operation = 'trimAudit'`],
    'entry 81 does not fit its hash',
  ],
  [
    'the entry about it is removed from the end',
    [`delete from audit where operation = 'trimAudit'`],
    'no entry records their export',
  ],
  ['all that is left is removed', ['delete from audit'], 'the log is empty'],
])('where %s, the trimmed log is not intact', async (_, changes, told) => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  await using folder = await tempDir();
  await ageLog(world, 50);
  await addEntries(world.db, world.orgId, 30);
  await exportAndTrim(world, folder.path, 'export');
  for (const change of changes) await unguarded(world.db, change);
  const { code, stdout, stderr } = await verify(home);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(told);
});

test('a changed file, and files of another log, are found, also where the service agrees with them', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  await using folder = await tempDir();
  await ageLog(world, 50);
  const path = await exportAndTrim(world, folder.path, 'export');
  const file = join(path, `audit-${world.orgId}-1-50.jsonl.gz`);
  const bytes = await readFile(file);
  const refused = async (...args: string[]) => {
    const { code, stderr } = await verify(home, '--files', folder.path, ...args);
    expect(code).not.toBe(0);
    return stderr;
  };
  await writeFile(file, gzipSync(gunzipSync(bytes).toString().replace('"object_id":"7"', '"object_id":"8"')));
  expect(await refused('--offline')).toContain(`the SHA-256 of ${file} is not the manifest's`);
  await writeFile(file, bytes.subarray(0, 300));
  expect(await refused('--offline')).toContain(`${file} is missing or damaged`);
  await rm(file);
  expect(await refused()).toContain(`${file} is missing or damaged (ENOENT)`);
  await writeFile(file, bytes);
  expect(await refused('--from', `30:${'a'.repeat(64)}`)).toContain(`${file} has another entry 30 than expected`);
  expect(await refused('--offline', '--org', 'x')).toContain('no file is of org x');
  expect(await refused('--offline', '--from', `60:${'a'.repeat(64)}`)).toContain('--from: the files end at entry 50');
  await unguarded(world.db, 'update audit_trims set hash = sha256(hash)');
  expect(await refused()).toContain('entry 50 is not the one of the exported files');
  await writeFile(join(path, 'manifest.json'), '{}');
  expect(await refused('--offline')).toContain('is not the manifest of an exported audit log');
  await rm(path, { recursive: true });
  expect(await refused('--offline')).toContain('has no exported audit log');
  expect((await verify(home, '--offline')).stderr).toContain('--offline needs --files');
});
