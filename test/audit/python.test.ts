import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { chainStart } from '../../src/audit/chain.ts';
import { auditService } from '../../src/audit/service.ts';
import { trimAudit } from '../../src/host-command/audit-trim.ts';
import { addEntries, unguarded } from '../support/audit-log.ts';
import { signedInHome } from '../support/cli.ts';
import { trimmedLog } from '../support/log-trimmed-meanwhile.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';
import { ageLog, exportAndTrim, exportOld, hostOf } from '../support/trimmed-log.ts';
import { startWorld, type World } from '../support/world.ts';

const python = '/usr/bin/python3';
const script = fileURLToPath(new URL('../../docs/examples/verify_audit.py', import.meta.url));

const withPython = testWith('python3');

async function verify({ url, orgToken }: World, ...args: string[]) {
  return runScript(orgToken, url, ...args);
}

async function runScript(orgToken: string, ...args: string[]) {
  const child = spawn(python, [script, ...args], { env: { SERVICE_TOKEN: orgToken, PYTHONIOENCODING: 'utf-8' } });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number, stdout, stderr };
}

withPython('a verifier in another language, from the API alone, comes to the same head', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const told = {
    '\uFB33': 1,
    '\u{1F600}': [1.5, 0.1, 1e-7, 0.000012, 123456.789, 1e21, 1.5e300, -2.5e-9, 1e20, 4.5e15, 123456789012345680000],
    texts: ['"\\/\b\f\n\r\t\u001f\u007f\u2028€', ''],
    '10': { b: null, a: true },
    '9': -3,
  };
  await addEntries(world.db, world.orgId, 1_200, JSON.stringify(told));
  const ours = await home.cli(['audit', 'verify']);
  expect(ours.code).toBe(0);
  expect(await verify(world)).toEqual({ code: 0, stdout: ours.stdout, stderr: '' });
  await unguarded(world.db, `update audit set after = '{"name":"x"}' where seq = 1100`);
  expect(await verify(world)).toMatchObject({ code: 1, stderr: 'entry 1100 is missing, or does not fit its hash\n' });
});

withPython('it joins exported files and the log that begins after them, and finds what was changed', async () => {
  await using world = await startWorld();
  await using folder = await tempDir();
  await addEntries(world.db, world.orgId, 20);
  await unguarded(world.db, "update audit set at = at - interval '500 days' where org_id = ?", [world.orgId]);
  await auditService(world.db).sealAll();
  await addEntries(world.db, world.orgId, 5);
  await exportAndTrim(world, folder.path, 'export');
  const whole = await verify(world);
  expect(whole).toMatchObject({ code: 0, stdout: expect.stringMatching(/^27:/) });
  expect(whole.stderr).toMatch(/^the log says that entries before 22 were exported on \S+ and deleted\n$/);
  expect(await verify(world, folder.path)).toEqual(whole);
  const { anchor } = (await world.call('GET', '/api/audit')).body as { anchor: { hash: string } };
  expect(await runScript('', folder.path)).toEqual({ code: 0, stdout: `21:${anchor.hash}\n`, stderr: '' });

  await unguarded(
    world.db,
    'update audit_trims set seq = 25, hash = (select hash from audit where org_id = ? and audit.seq = 25) where org_id = ?',
    [world.orgId, world.orgId],
  );
  expect(await verify(world)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('entries up to 25 are missing, and no entry records their export\n'),
  });
  expect((await verify(world, folder.path)).stderr).toContain('no file has entries 22 to 25\n');
});

withPython('a log that is trimmed while it is read is verified from its new beginning', async () => {
  const { orgId, entries, anchor } = trimmedLog();
  const bodies = [{ items: entries.slice(0, 1_000) }, { items: entries.slice(2_500), anchor }];
  const server = createServer((_, reply) => {
    reply.setHeader('x-service-org-id', orgId);
    reply.end(JSON.stringify(bodies.shift() ?? { items: [] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { code, stdout } = await runScript('x', `http://127.0.0.1:${port}`);
  server.close();
  expect({ code, stdout }).toEqual({ code: 0, stdout: `3000:${entries.at(-1)?.hash}\n` });
});

withPython.each(["exported_at = '2020-01-01'", "file_sha256 = sha256('')"])(
  'another export than the one that the log records (%s) is found',
  async (change) => {
    await using world = await startWorld();
    await using folder = await tempDir();
    await ageLog(world, 20);
    await exportAndTrim(world, folder.path, 'export');
    await unguarded(world.db, `update audit_trims set ${change} where org_id = ?`, [world.orgId]);
    expect((await verify(world)).stderr).toContain('entries up to 20 are missing, and no entry records their export\n');
  },
);

withPython('files that overlap, of two orgs, beside a backup, or without the first ones are verified', async () => {
  await using world = await startWorld();
  await using folder = await tempDir();
  await ageLog(world, 50);
  await addEntries(world.db, world.orgId, 50, '{}', 450);
  await auditService(world.db).sealAll();
  const first = await exportOld(world, folder.path, 'a', '480');
  const path = await exportOld(world, folder.path, 'b');
  await mkdir(join(folder.path, 'backup'));
  await writeFile(join(folder.path, 'backup', 'manifest.json'), '{"format":2,"tables":[]}');
  const expected = { code: 0, stdout: expect.stringMatching(/^100:/), stderr: '' };
  expect(await runScript('', folder.path)).toEqual(expected);
  const manifestPath = join(path, 'manifest.json');
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as { files: { name: string; sha256: string }[] };
  const other = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01';
  const files = [...manifest.files, { ...manifest.files[0], org_id: other, name: 'other.jsonl.gz' }];
  await writeFile(manifestPath, JSON.stringify({ ...manifest, files }));
  expect(await runScript('', folder.path)).toEqual(expected);
  await writeFile(join(path, 'other.jsonl.gz'), '');
  expect((await runScript('', folder.path)).stderr).toContain('the files are of 2 orgs: name one of');
  expect(await runScript('', folder.path, world.orgId)).toEqual(expected);

  await writeFile(manifestPath, JSON.stringify({ ...manifest, files: [{ ...manifest.files[0], sha256: '0' }] }));
  expect((await runScript('', folder.path)).stderr).toContain("its SHA-256 is not the manifest's");
  await writeFile(manifestPath, JSON.stringify(manifest));
  await trimAudit({ ...hostOf(world), folder: first });
  const later = await exportAndTrim(world, folder.path, 'c');
  expect(await runScript('', folder.path)).toEqual(expected);
  expect(await runScript('', later)).toEqual({
    ...expected,
    stderr: 'Entries 1 to 50 were not verified: no file has them.\n',
  });
});

test('the example of the documentation is that of the contract', async () => {
  const page = await readFile(new URL('../../docs/reference/audit-log.md', import.meta.url), 'utf8');
  const { items } = contract.paths['/api/audit'].get.responses['200'].content['application/json'].example;
  const hashes = [...page.matchAll(/^hash\((\d)\) {2}([0-9a-f]{64})$/gm)].map(([, , hash]) => hash);
  expect(hashes).toEqual([
    chainStart('0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01').toString('hex'),
    ...items.map(({ hash }) => hash),
  ]);
  const entries = [...page.matchAll(/^ {9}(\{.*\})$/gm)].map(([, entry = '']) => JSON.parse(entry) as object);
  expect(entries.map((entry, index) => ({ ...entry, hash: hashes[index + 1] }))).toEqual(items);
});
