import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { savePreferences } from '../../../cli/files/ui-preferences.ts';
import { readUiFile, splitViews, themeNames, type UiPreferences } from '../../../cli/files/ui-settings.ts';
import { savePreferencesOf } from '../../../cli/ui/saving/preferences.ts';
import { screens } from '../../../cli/ui/screens/index.ts';
import { firstTabs } from '../../../cli/ui/table/kept-list.ts';
import { fakeUi, robotNamed } from '../../support/fake-ui.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { pressAll, shown } from '../../support/ui-data-harness.ts';

const none: UiPreferences = { lists: {} };

/** The file after a change, from that text. */
async function saved(text: string | undefined, after: UiPreferences, before = none): Promise<string> {
  await using home = await tempDir();
  const path = join(home.path, 'ui.toml');
  if (text !== undefined) await writeFile(path, text);
  await savePreferences(home.path, before, after);
  return await readFile(path, 'utf8');
}

test('the first change makes the file, and later ones change their own lines alone: comments and the rest stay', async () => {
  const robots = { sort: { title: 'seen', isReverse: true }, columns: ['name', 'seen'], filter: 'status:offline' };
  const written = '[lists.robots]\nsort = "-seen"\ncolumns = [ "name", "seen" ]\nfilter = "status:offline"\n';
  expect(await saved(undefined, { lists: { robots } })).toBe(written);
  const own =
    '# mine\nascii = true # old terminal\ntheme = "light" # for the wall\n\n# keys of mine\n[keys]\n"lists.down" = "n"\n';
  expect(await saved(own, { theme: 'dark', mouse: false, lists: { robots } }, { theme: 'light', lists: {} })).toBe(
    own.replace('"light"', '"dark"').replace('wall\n', 'wall\nmouse = false\n') + `\n${written}`,
  );
});

test('a list has one table, its comments stay, and it goes with its last setting', async () => {
  const text = '[lists.robots] # which ones\n# by age\nsort = "seen"\n\n# keys\n[keys]\n"lists.down" = "n"\n';
  const before: UiPreferences = { lists: { robots: { sort: { title: 'seen', isReverse: false } } } };
  const sorted: UiPreferences = { lists: { robots: { sort: { title: 'name', isReverse: false }, isWide: true } } };
  expect(await saved(text, sorted, before)).toBe(text.replace('"seen"', '"name"\nwide = true'));
  expect(await saved(text, { lists: { robots: {} } }, before)).toBe('# by age\n\n# keys\n[keys]\n"lists.down" = "n"\n');
});

test.each([
  ['is not TOML', 'theme = what', 'is not valid TOML'],
  [
    'has its lists in one line',
    'lists = { robots = { sort = "seen" } }\n',
    'cannot be changed without losing something',
  ],
  ['has the key in a text of several lines', 'note = """\ntheme = "x"\n"""\n', 'cannot be changed without losing'],
])('a file that %s is not touched, and that is told', async (_, text, told) => {
  await using home = await tempDir();
  const path = join(home.path, 'ui.toml');
  await writeFile(path, text);
  await expect(savePreferences(home.path, none, { theme: 'light', lists: { robots: { isWide: true } } })).rejects.toThrow(told); // prettier-ignore
  expect(await readFile(path, 'utf8')).toBe(text);
});

test('a link to the file stays a link, and the folder behind it keeps its mode', async () => {
  await using home = await tempDir();
  const [folder, dotfiles] = [join(home.path, 'config'), join(home.path, 'dotfiles')];
  const real = join(dotfiles, 'ui.toml');
  await mkdir(folder);
  await mkdir(dotfiles);
  await chmod(dotfiles, 0o755);
  await writeFile(real, '# mine\n');
  await symlink(real, join(folder, 'ui.toml'));
  await savePreferences(folder, none, { mouse: false, lists: {} });
  expect(await readFile(real, 'utf8')).toContain('mouse = false');
  expect((await stat(dotfiles)).mode & 0o777).toBe(0o755);
});

const title = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => !text.startsWith('-'));
const list = fc.record(
  {
    sort: fc.record({ title, isReverse: fc.boolean() }),
    columns: fc.array(title, { minLength: 1, maxLength: 3 }),
    isWide: fc.constant(true),
    filter: fc.string(),
  },
  { requiredKeys: [] },
);
const preferences = fc.record(
  {
    theme: fc.constantFrom(...themeNames),
    mouse: fc.boolean(),
    split: fc.constantFrom(...splitViews),
    lists: fc.dictionary(fc.constantFrom('robots', 'logs', 'robot-timeline'), list),
  },
  { requiredKeys: ['lists'] },
);

test('whatever is saved after whatever, the file gives the last state back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(preferences, { minLength: 1, maxLength: 4 }), async (states) => {
      await using home = await tempDir();
      await writeFile(join(home.path, 'ui.toml'), '# mine\nascii = true\n\n[keys]\n"lists.up" = "p"\n');
      let before: UiPreferences = none;
      for (const state of states) {
        await savePreferences(home.path, before, state);
        before = state;
      }
      const { file, problems } = await readUiFile(home.path);
      expect(problems).toEqual([]);
      expect(file.keys).toEqual({ 'lists.up': ['p'] });
      const { lists, ...rest } = before;
      const kept = Object.entries(lists).filter(([, one]) => Object.keys(one).length > 0);
      expect(JSON.parse(JSON.stringify(file.preferences))).toEqual({ ...rest, lists: Object.fromEntries(kept) });
    }),
    { numRuns: 60 },
  );
});

test('order, columns and a kept filter of a list come back with it, in other views and in the file', async () => {
  const scene = fakeUi();
  scene.feeds.robots.fill([robotNamed('amr-1')]);
  const written: UiPreferences[] = [];
  const end = savePreferencesOf(scene.ui, async (_, after) => void written.push(after));
  pressAll(scene, 'o', 'o', 'O', 'C');
  expect(shown(scene)).toMatch(/▸ \[x\] name\n {2}\[x\] state\n/);
  pressAll(scene, 'j', 'space', 'K', 'enter');
  scene.ui.views.setList({ filter: 'status:offline' });
  pressAll(scene, 'F', '1', '2');
  const robots = {
    sort: { title: 'state', isReverse: true },
    columns: ['name', 'fleet', 'site', 'release', 'seen', 'problems'],
    filter: 'status:offline',
  };
  expect(scene.ui.views.get().current.list).toMatchObject(robots);
  expect(scene.ui.preferences.get().lists['robots']).toMatchObject(robots);
  pressAll(scene, 'esc', 'F', '3', '2');
  expect(scene.ui.views.get().current.list).toMatchObject({ ...robots, filter: '' });
  await end();
  expect(written).toEqual([scene.ui.preferences.get()]);
});

test('the last column cannot be hidden, and esc restores the former ones', () => {
  const scene = fakeUi({ place: { screen: 'releases' } });
  scene.feeds.releases.fill([]);
  pressAll(scene, 'C');
  const count = shown(scene).match(/\[x\]/g)?.length ?? 0;
  pressAll(scene, ...Array.from({ length: count }, () => ['space', 'j']).flat());
  expect(scene.ui.views.get().current.list.columns).toHaveLength(1);
  pressAll(scene, 'esc');
  expect(scene.ui.views.get().current.list).toMatchObject({ columns: undefined, isWide: false });
});

test('a list that cannot be saved is told once, and tried again with the next change', async () => {
  const scene = fakeUi();
  scene.feeds.robots.fill([robotNamed('amr-1')]);
  let isDamaged = true;
  const written: UiPreferences[] = [];
  const end = savePreferencesOf(scene.ui, async (before, after) => {
    if (isDamaged) throw new Error('ui.toml is not valid TOML');
    written.push(before, after);
  });
  pressAll(scene, 'o');
  await expect
    .poll(() => scene.ui.notice.get()?.text)
    .toBe('Kept until you quit, but not saved: ui.toml is not valid TOML');
  isDamaged = false;
  pressAll(scene, 'o');
  await end();
  expect(written).toEqual([none, scene.ui.preferences.get()]);
});

test('a list has one name, whether its tab was chosen or is the first', () => {
  const first = screens.flatMap(({ id, tabs: [tab] = [] }) => (tab === undefined ? [] : [[id, tab]]));
  expect(firstTabs).toEqual(Object.fromEntries(first));
});
