import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { release } from '../../generated/release.js';
import { tempDir } from '../support/temp-dir.ts';
import { command } from './command.ts';

test('the command of the host prints its version and its help', async () => {
  await using folder = await tempDir();
  expect(await command(folder.path, '--version')).toEqual({ exitCode: 0, stdout: `${release}\n`, stderr: '' });
  const help = await command(folder.path, '--help');
  expect(help).toMatchObject({ exitCode: 0, stderr: '' });
  for (const word of ['start', 'backup', 'restore', 'check'])
    expect(help.stdout).toMatch(new RegExp(`^  ${word}\\b`, 'm'));
});

test('it runs the interface of the client, for those who have only this command', async () => {
  await using folder = await tempDir();
  const help = await command(folder.path, 'ui', '--help');
  expect(help).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('cli ui') });
  const refused = await command(folder.path, 'ui', '--no-such-flag');
  expect(refused).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('--no-such-flag') });
});

test.each([
  [['bakcup'], 'Unknown command "bakcup". See: fleet-control-service --help\n'],
  [['backup', 'one', 'two'], 'Unexpected argument "two". See: fleet-control-service --help\n'],
  [['restore'], 'restore needs the folder of a backup. See: fleet-control-service --help\n'],
  [['check', 'one', '--with-objects'], '--with-objects belongs to backup. See: fleet-control-service --help\n'],
  [['backup', '--folder'], "Unknown option '--folder'. See: fleet-control-service --help\n"],
])('the line %j is refused in a sentence and creates nothing', async (words, stderr) => {
  await using folder = await tempDir();
  expect(await command(folder.path, ...words)).toEqual({ exitCode: 2, stdout: '', stderr });
  expect(await readdir(folder.path)).toEqual([]);
});

test('a folder that is no backup, and a data folder without a database, are refused in a sentence', async () => {
  await using folder = await tempDir();
  const at = (name: string) => join(folder.path, name);
  await mkdir(at('empty'));
  const sentence = `${at('empty')} has no complete backup: its manifest.json cannot be read\n`;
  for (const name of ['check', 'restore'])
    expect(await command(at('data'), name, at('empty'))).toEqual({ exitCode: 1, stdout: '', stderr: sentence });
  expect(await command(at('data'), 'backup', at('backup'))).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `there is no database in ${at('data')}\n`,
  });
  expect(await readdir(folder.path)).toEqual(['empty']);
});
