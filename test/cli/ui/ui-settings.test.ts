import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readUiFile } from '../../../cli/files/ui-settings.ts';
import { tempDir } from '../../support/temp-dir.ts';

async function read(text: string) {
  await using home = await tempDir();
  const path = join(home.path, 'ui.toml');
  await mkdir(home.path, { recursive: true });
  await writeFile(path, text);
  const result = await readUiFile(home.path);
  expect(await readFile(path, 'utf8')).toBe(text);
  return result;
}

test('without ui.toml the usual settings hold, and nothing is told', async () => {
  await using home = await tempDir();
  expect(await readUiFile(home.path)).toEqual({
    file: { keys: {}, ascii: undefined, colours: undefined, readOnlyProfiles: [], preferences: { lists: {} } },
    problems: [],
  });
});

test('ui.toml says keys, signs, colours and which profiles are read-only; what it does not know it leaves alone', async () => {
  const text =
    'ascii = true\ncolours = false\nread_only_profiles = ["prod"]\nnew_thing = 1\ntheme = "light"\nmouse = false\n[lists.robots]\nsort = "-seen"\n[keys]\n"lists.down" = "n"\n"lists.up" = ["p", "up"]\n';
  expect(await read(text)).toEqual({
    file: {
      keys: { 'lists.down': ['n'], 'lists.up': ['p', 'up'] },
      ascii: true,
      colours: false,
      readOnlyProfiles: ['prod'],
      preferences: { theme: 'light', mouse: false, lists: { robots: { sort: { title: 'seen', isReverse: true } } } },
    },
    problems: [],
  });
});

test('what of it cannot be used is told, and the rest holds', async () => {
  const { file, problems } = await read('ascii = "yes"\ncolours = false\n[keys]\n"lists.down" = 7\n"lists.up" = "p"\n');
  expect(file).toMatchObject({ ascii: undefined, colours: false, keys: { 'lists.up': ['p'] } });
  expect(problems).toEqual([
    'ui.toml: keys of lists.down are a text or a list of texts',
    'ui.toml: ascii is true or false',
  ]);
});

test('a theme or a list that cannot be used is told with what can', async () => {
  const { file, problems } = await read(
    'theme = "pink"\n[lists]\nrobots = { columns = "all" }\nkeys = { sort = "label" }\n',
  );
  expect(file.preferences.lists).toEqual({ keys: { sort: { title: 'label', isReverse: false } } });
  expect(problems).toEqual([
    'ui.toml: theme is one of dark, light, high-contrast, color-blind',
    'ui.toml: lists.robots has sort and filter as texts, columns as a list of texts, wide as true or false',
  ]);
});

test('a file that is no TOML is told, and the usual settings hold', async () => {
  const { file, problems } = await read('ascii = true\nkeys = what');
  expect(file.keys).toEqual({});
  expect(file.readOnlyProfiles).toBeUndefined();
  expect(problems).toEqual([
    expect.stringMatching(
      /^Nothing can be changed: .*ui\.toml is not valid TOML \(line 2: .*\. The usual settings hold\.$/,
    ),
  ]);
});

test('read-only profiles that are no list of names leave nobody to be changed', async () => {
  const { file, problems } = await read('read_only_profiles = "prod"\n');
  expect(file.readOnlyProfiles).toBeUndefined();
  expect(problems).toEqual(['ui.toml: read_only_profiles is a list of names; until it is, nothing can be changed']);
});
