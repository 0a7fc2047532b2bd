import { hash, randomBytes } from 'node:crypto';
import { cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orgOnServer } from '../support/org-on-server.ts';
import { tempDir } from '../support/temp-dir.ts';
import { command } from './command.ts';

let folder: Awaited<ReturnType<typeof tempDir>>;
/** A backup with one artifact. */
let whole: string;
let artifact: string;

beforeAll(async () => {
  folder = await tempDir();
  const data = join(folder.path, 'data');
  await using org = await orgOnServer({ SERVICE_DATA_DIR: data });
  const bytes = randomBytes(5_000);
  const sha256 = hash('sha256', bytes);
  await org.data('/api/releases', { tag: 'v1', artifact_sha256: sha256, artifact_size: bytes.length });
  const headers = { Authorization: `Bearer ${org.token}`, 'Content-Type': 'application/octet-stream' };
  await fetch(`${org.server.url}/api/artifacts/${sha256}`, { method: 'PUT', headers, body: bytes });
  whole = join(folder.path, 'backup');
  expect(await command(data, 'backup', whole)).toMatchObject({ exitCode: 0 });
  const found = await readdir(join(whole, 'artifacts'), { recursive: true });
  artifact = join('artifacts', found.find((path) => path.endsWith(sha256)) ?? '');
});
afterAll(() => folder[Symbol.asyncDispose]());

/** Shortens a file by 3 bytes. */
async function cut(path: string): Promise<void> {
  await truncate(path, (await readFile(path)).length - 3);
}

const changeManifest = async (backup: string, change: (text: string) => string) => {
  const path = join(backup, 'manifest.json');
  await writeFile(path, change(await readFile(path, 'utf8')));
};

/** Changes a file, and its digest in the manifest. */
async function forge(backup: string, name: string, change: (path: string) => Promise<void>): Promise<void> {
  const path = join(backup, name);
  const digest = async () => hash('sha256', await readFile(path));
  const before = await digest();
  await change(path);
  const after = await digest();
  await changeManifest(backup, (text) => text.replace(before, after));
}

const write = (text: string) => (path: string) => writeFile(path, gzipSync(text));
const damagedObjects = /objects\.jsonl\.gz is missing or damaged: line 1 is invalid$/;

test.each<[what: string, change: (backup: string) => Promise<void>, sentence: RegExp]>([
  ['its manifest cut', (path) => cut(join(path, 'manifest.json')), /manifest\.json is not the manifest of a backup/],
  ['no manifest', (path) => rm(join(path, 'manifest.json')), /has no complete backup: its manifest\.json cannot be/],
  ['a table missing', (path) => rm(join(path, 'sites.copy.gz')), /sites\.copy\.gz is missing or damaged/],
  ['a table cut', (path) => cut(join(path, 'orgs.copy.gz')), /orgs\.copy\.gz is missing or damaged: its SHA-256/],
  ['an artifact cut', (path) => cut(join(path, artifact)), /is missing or damaged: its SHA-256 is not that of objects/],
  ['an artifact missing', (path) => rm(join(path, artifact)), /is missing or damaged: its SHA-256 is not that of obj/],
  ['the list of artifacts forged', (path) => forge(path, 'objects.jsonl.gz', write('no JSON')), damagedObjects],
  ['null in the list of artifacts', (path) => forge(path, 'objects.jsonl.gz', write('null')), damagedObjects],
  [
    'that list cut and forged',
    (path) => forge(path, 'objects.jsonl.gz', cut),
    /gz is damaged: unexpected end of file$/,
  ],
  [
    'a later schema',
    (path) => changeManifest(path, (text) => text.replace('"0001_init"', '"9999_later"')),
    /was written by a newer release \(it has 9999_later\): use that one$/,
  ],
  [
    'a format of a later release',
    (path) => changeManifest(path, (text) => text.replace('"format": 2', '"format": 3')),
    /has a format that this release does not know$/,
  ],
])('a backup with %s is refused in a sentence, and nothing is written', async (_what, change, sentence) => {
  await using own = await tempDir();
  const [backup, data] = [join(own.path, 'backup'), join(own.path, 'data')];
  await cp(whole, backup, { recursive: true });
  await change(backup);
  for (const line of ['check', 'restore']) {
    const { exitCode, stdout, stderr } = await command(data, line, backup);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(sentence)]);
  }
  expect(await readdir(own.path)).toEqual(['backup']);
});

test.each<[what: string, change: (path: string) => Promise<void>, sentence: RegExp]>([
  ['cut', cut, /orgs\.copy\.gz is damaged: unexpected end of file$/],
  ['of another form', write('no row'), /^orgs cannot be restored, and nothing was: invalid input syntax/],
  ['empty', write(''), /^orgs should have \d rows and has 0: nothing was restored$/],
])('a table that is %s with a forged digest is refused, and leaves no database', async (_what, change, sentence) => {
  await using own = await tempDir();
  const [backup, data] = [join(own.path, 'backup'), join(own.path, 'data')];
  await cp(whole, backup, { recursive: true });
  await forge(backup, 'orgs.copy.gz', change);
  const { exitCode, stderr } = await command(data, 'restore', backup);
  expect(exitCode).toBe(1);
  const last = stderr
    .trimEnd()
    .split('\n')
    .filter((line) => !/: \d+ rows$/.test(line));
  expect(last).toEqual([expect.stringMatching(sentence)]);
  expect((await readdir(data)).filter((name) => name.startsWith('pg'))).toEqual([]);
  expect(await command(data, 'restore', whole)).toMatchObject({ exitCode: 0 });
});
