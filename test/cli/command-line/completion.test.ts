import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startHome } from '../../support/cli.ts';

const execute = promisify(execFile);

/** What bash itself offers after these words; the last one is being typed. */
async function complete(script: string, words: readonly string[]): Promise<string[]> {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const ask = `${script}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _cli; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await execute('bash', ['--norc', '-c', ask]);
  return stdout.trim().split('\n');
}

test('bash completes commands, flags and the values of flags', async () => {
  await using home = await startHome();
  const { stdout: script, code } = await home.cli(['completion', 'bash']);
  expect(code).toBe(0);
  expect(await complete(script, ['cli', 'ro'])).toEqual(['robots']);
  expect(await complete(script, ['cli', 'admin', 'orgs', 'a'])).toEqual(['approve']);
  expect(await complete(script, ['cli', 'deployments', 'wa'])).toEqual(['watch']);
  expect(await complete(script, ['cli', 'deploy', 'nav-1.8.2', '--sch'])).toEqual(['--scheduled-at']);
  expect(await complete(script, ['cli', 'keys', 'new', '--ex'])).toEqual(['--expires-in-hours']);
  expect(await complete(script, ['cli', 'sites', 'list', '-o', 'j'])).toEqual(['json', 'jsonl']);
  expect(await complete(script, ['cli', '--json', 'users', 'role', 'kim@example.com', 'o'])).toEqual(['operator']);
  expect(await complete(script, ['cli', 'completion', ''])).toEqual(
    expect.arrayContaining(['bash', 'zsh', 'fish', 'pwsh']),
  );
});

test.each(['zsh', 'fish', 'pwsh'])('the script of %s names every command', async (shell) => {
  await using home = await startHome();
  const { stdout, code } = await home.cli(['completion', shell]);
  expect(code).toBe(0);
  for (const words of ['robots', 'admin orgs', '--expires-in-hours', 'jsonl']) {
    expect(stdout).toContain(shell === 'fish' ? words.replace('--', '') : words);
  }
});
