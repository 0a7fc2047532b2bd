import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { keymapProblems } from '../../../../cli/ui/actions/keymap.ts';
import { actions } from '../../../../cli/ui/actions/all-actions.ts';
import { isKeyName } from '../../../../cli/ui/actions/keys.ts';

test('no two actions have one name, and each key has a name that a key can have', () => {
  const ids = actions.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(actions.flatMap(({ keys }) => keys).filter((key) => !isKeyName(key))).toEqual([]);
});

test('no two actions that are at hand at one time with the same right have one key', () => {
  const keys = Object.fromEntries(actions.map((action) => [action.id, action.keys]));
  expect(keymapProblems(actions, { keys })).toEqual([]);
});

test('what an action of ui.toml is not called, and what two have, is told', () => {
  const keys = {
    'releases.deplay': ['D'],
    'lists.up': ['jj', 'alt-x'],
    'lists.down': ['n'],
    'lists.open': ['n'],
  };
  expect(keymapProblems(actions, { keys })).toEqual([
    'unknown action "releases.deplay"; did you mean releases.deploy?',
    'lists.up: unknown key "jj"',
    'lists.up: unknown key "alt-x"',
    'n is bound to lists.open and to lists.down; the first counts',
  ]);
});

test('docs/reference/terminal-interface.md has every action with its keys', async () => {
  const page = await readFile(new URL('../../../../docs/reference/terminal-interface.md', import.meta.url), 'utf8');
  const rows = actions.map(({ id, title, keys }) =>
    `| ${keys.map((key) => `\`${key}\``).join(' ')} | ${title} | \`${id}\` |`.replace('|  |', '| |'),
  );
  const said = page.split('\n').map((line) => line.replace(/ +/g, ' '));
  expect(rows.filter((row) => !said.includes(row))).toEqual([]);
});
