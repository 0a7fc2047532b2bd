import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { extract, list } from 'tar';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packChart, packCompose } from '../../packaging/archives.ts';
import { releaseEpoch } from '../../packaging/release-date.ts';
import manifest from '../../package.json' with { type: 'json' };
import { tempDir } from '../support/temp-dir.ts';

const { version } = manifest;

/** Of each file: its path, its mode in octal and its time. */
async function entriesOf(file: string): Promise<Record<string, string>> {
  const entries: Record<string, string> = {};
  await list({
    file,
    onReadEntry: ({ path, mode, mtime }) => (entries[path] = `${mode?.toString(8)} ${mtime?.toISOString()}`),
  });
  return entries;
}

test.for([
  { pack: packChart, top: 'fleet-control-service' },
  { pack: packCompose, top: `fleet-control-service-compose-${version}` },
])('two archives of $top have identical bytes, and one folder of files that all may read', async ({ pack, top }) => {
  await using one = await tempDir();
  await using other = await tempDir();
  const file = await pack(one.path);
  const again = await pack(other.path);
  expect(basename(again)).toBe(basename(file));
  expect((await readFile(again)).equals(await readFile(file))).toBe(true);
  const entries = await entriesOf(file);
  expect(Object.keys(entries)).toContain(`${top}/LICENSE`);
  const date = new Date(Number(releaseEpoch()) * 1_000).toISOString();
  for (const [path, entry] of Object.entries(entries))
    expect([path.split('/')[0], entry.replace('755', '644')]).toEqual([top, `644 ${date}`]);
});

test('the chart is laid out as Helm reads it, in the version of the release', async () => {
  await using folder = await tempDir();
  const file = await packChart(folder.path);
  const top = 'fleet-control-service';
  const paths = Object.keys(await entriesOf(file));
  for (const name of ['Chart.yaml', 'values.yaml', 'values.schema.json', 'templates/deployment.yaml'])
    expect(paths).toContain(`${top}/${name}`);
  await extract({ file, cwd: folder.path });
  const chart: unknown = parse(await readFile(join(folder.path, top, 'Chart.yaml'), 'utf8'));
  expect(chart).toMatchObject({ name: top, version, appVersion: version });
});
