import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { catalog } from '../../cli/command-specs/index.ts';
import { startHome } from '../support/cli.ts';

const row = /^\| `cli ([a-z -]+)` +\| ((?:`\w+` ?)+) *\|$/gm;

test('the reference has the fields of every list and of every object that is read', async () => {
  await using home = await startHome({});
  const page = await readFile(new URL('../../docs/reference/command-line.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('\n## Fields\n');
  const documented = new Map(
    [...section.matchAll(row)].map(([, path = '', fields = '']) => [path, fields.match(/\w+/g)?.join('\n')]),
  );
  const printed = new Map<string, string>();
  for (const { path, prints, arguments: args = [] } of catalog.commands) {
    if (prints !== 'list' && prints !== 'details') continue;
    const given = args.filter(({ optional }) => !optional).map(({ choices }) => choices?.[0] ?? 'x');
    printed.set(path, (await home.cli([...path.split(' '), ...given, '--fields', 'help'])).stdout.trimEnd());
  }
  expect(documented).toEqual(printed);
});
