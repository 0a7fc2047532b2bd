import { describe, expect, test } from 'vitest';
import { bash } from '../../../cli/command-line/completion/bash.ts';
import { positionOf } from '../../../cli/command-line/completion/position.ts';
import { pwsh } from '../../../cli/command-line/completion/pwsh.ts';
import { catalog } from '../../../cli/command-specs/index.ts';
import { flagsOf } from '../../../cli/command-line/global-flags.ts';

/** What `word` becomes on a bash line whose end is the cursor. */
function insertedAfter(line: string, word: string): string {
  const { write } = bash.read([' \t\n"\'@><=;|&(:', line]);
  return write([{ word, about: '' }]).trimEnd();
}

test.each([
  ['cli robots show ni', 'night shift', 'night\\ shift'],
  ['cli robots show night\\ ', 'night shift', 'night\\ shift'],
  ['cli robots show "ni', 'night shift', 'night shift'],
  ["cli robots show 'ni", "night's", "night'\\''s"],
  ['cli robots show "a', 'a"$b`\\', 'a\\"\\$b\\`\\\\'],
  ['cli robots list --fleet=Osa', 'Osaka/pickers', 'Osaka/pickers'],
  ['cli users role kim@ex', 'kim@example.com', 'example.com'],
  ['cli robots show a:b', 'a:b c', 'b\\ c'],
  ['cli robots show $', '$(rm x);&|*', '\\$\\(rm\\ x\\)\\;\\&\\|\\*'],
  ['cli robots show 大', '大阪 1', '大阪\\ 1'],
])('on the bash line %s the name %s is inserted as %s', (line, name, inserted) => {
  const [before = ''] = /--fleet=/.exec(line) ?? [];
  expect(insertedAfter(line, `${before}${name}`)).toBe(inserted);
});

test('of a bash line only the last command counts, with its quotes removed', () => {
  const { complete, current } = bash.read(['=', 'true && cli robots show "a b" --site=\'Nagoya W']);
  expect(complete).toEqual(['robots', 'show', 'a b']);
  expect(current).toBe('--site=Nagoya W');
});

test('PowerShell passes its words as one argument, and gets what to insert, to show and to explain', () => {
  const asked = Buffer.from('robots\nshow\n').toString('base64');
  const { complete, current, write } = pwsh.read([asked]);
  expect([complete, current]).toEqual([['robots', 'show'], '']);
  expect(write([{ word: "night's shift", about: '' }])).toBe("'night''s shift'\tnight's shift\tnight's shift\n");
  expect(write([{ word: 'Osaka/pickers', about: 'Osaka' }])).toBe('Osaka/pickers\tOsaka/pickers\tOsaka\n');
});

describe('the position of the cursor', () => {
  const at = (...words: string[]) => positionOf(catalog, words.slice(0, -1), words.at(-1) ?? '');
  const wordsAt = (...words: string[]) => at(...words).words.map(({ word }) => word);

  test.each([
    [['robots', 'show', ''], 'robot'],
    [['--json', 'robots', 'show', ''], 'robot'],
    [['-o', 'json', 'robots', 'show', ''], 'robot'],
    [['robots', 'move', 'amr-1', ''], 'fleet'],
    [['fleets', 'logs', ''], 'fleet'],
    [['logs', 'amr-1', ''], undefined],
    [['deploy', ''], 'release'],
    [['deploy', 'nav-1', '--fleet', ''], 'fleet'],
    [['deploy', 'nav-1', '--kind', ''], 'release kind'],
    [['deployments', 'events', ''], 'deployment'],
    [['configs', 'events', ''], 'config deployment'],
    [['configs', 'set', ''], 'config'],
    [['configs', 'set', 'nav.max_speed', ''], undefined],
    [['configs', 'list', '--namespace', ''], 'namespace'],
    [['keys', 'revoke', ''], 'enrollment key'],
    [['tokens', 'revoke', ''], 'token'],
    [['sessions', 'play', ''], 'recording'],
    [['users', 'remove', ''], 'user'],
    [['context', 'use', ''], 'profile'],
    [['robots', 'list', '--org', ''], 'org'],
    [['releases', 'push', ''], 'file'],
    [['robots', 'shell', 'amr-1', '--', ''], undefined],
  ])('after %j a value names: %s', (words, takes) => {
    expect(at(...words).takes).toBe(takes);
  });

  test('commands, flags and fixed values are known without the service', () => {
    expect(wordsAt('admin', 'orgs', '')).toContain('approve');
    expect(wordsAt('sites', 'list', '-')).toEqual(expect.arrayContaining(['--output', '--no-pager', '--profile']));
    expect(wordsAt('sites', 'list', '-o', '')).toContain('jsonl');
    expect(wordsAt('--json', 'users', 'role', 'kim@example.com', '')).toContain('operator');
    expect(wordsAt('completion', '')).toEqual(['bash', 'zsh', 'fish', 'pwsh']);
    expect(wordsAt('help', 'keys', '')).toContain('revoke');
    expect(at('robots', 'list', '--fleet=pi')).toMatchObject({ takes: 'fleet', before: '--fleet=', typed: 'pi' });
    expect(at('robots', 'list', '--profile', 'staging', '--fleet', '').flags.get('profile')).toBe('staging');
  });

  test('every flag and argument that accepts an ID or a name says what it names', () => {
    const silent = catalog.commands.flatMap((command) => [
      ...flagsOf(command)
        .filter(({ value, takes }) => /^(id\||file$|folder$)/.test(value ?? '') && takes === undefined)
        .map(({ name }) => `${command.path} --${name}`),
      ...(command.arguments ?? [])
        .filter(({ description, takes }) => /^ID (or|of)/.test(description) && takes === undefined)
        .map(({ name }) => `${command.path} <${name}>`),
    ]);
    // The admin's list of orgs needs another token.
    expect(silent.filter((each) => !each.startsWith('admin orgs '))).toEqual([]);
  });
});
