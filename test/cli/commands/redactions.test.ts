import { expect, test } from 'vitest';
import { signedInHome, type Home } from '../../support/cli.ts';
import { startWorld } from '../../support/world.ts';

/** What a line that works prints on stdout, without the last line feed. */
async function line(home: Home, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.cli(['redactions', ...words]);
  expect([words, code, stderr]).toEqual([words, 0, '']);
  return stdout.replace(/\n$/, '');
}

test('a log redaction rule is created, shown, changed in parts and deleted', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const fields = ['--fields', 'name,pattern,replacement,enabled'];
  expect(await line(home, 'create', 'door-code', '--pattern', 'door code: ?[0-9]{4}', ...fields)).toBe(
    'door-code\tdoor code: ?[0-9]{4}\t[redacted: door-code]\ttrue',
  );
  const update = (...flags: string[]) => line(home, 'update', 'DOOR-CODE', ...flags, ...fields);
  expect(await update('--replacement', '')).toBe('door-code\tdoor code: ?[0-9]{4}\t\ttrue');
  expect(await update('--pattern', 'code [0-9]+', '--disable')).toBe('door-code\tcode [0-9]+\t\tfalse');
  expect(await update('--name', 'code', '--enable')).toBe('code\tcode [0-9]+\t\ttrue');
  const listed = (await line(home, 'list', '--fields', 'name,builtin')).split('\n');
  expect(listed).toHaveLength(10);
  expect(listed).toContain('code\tfalse');
  expect(listed).toContain('jwt\ttrue');
  const id = await line(home, 'show', 'code', '--fields', 'id');
  expect((await line(home, 'show', id.slice(-8))).split('\n')).toContain('pattern\tcode [0-9]+');
  const dry = await home.cli(['redactions', 'delete', 'code', '--dry-run']);
  expect(dry.stdout + dry.stderr).toMatch(/Delete log redaction rule code[^]*code \[0-9\]\+/);
  expect(await line(home, 'delete', id, '--fields', 'name')).toBe('code');
});

test('what is wrong with a log redaction rule is said', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const refused: [words: string[], code: number, text: string][] = [
    [['create', 'new'], 2, '--pattern'],
    [['create', 'new', '--pattern', '('], 1, 'is not a regular expression in RE2 syntax: missing closing )'],
    [['create', 'JWT', '--pattern', 'a'], 6, 'the org already has a log redaction rule with this name'],
    [['update', 'jwt'], 2, 'nothing to change'],
    [['update', 'jwt', '--enable', '--disable'], 2, '--enable and --disable exclude each other'],
    [['update', 'jwt', '--pattern', 'a'], 1, 'jwt is built in'],
    [['update', 'jwtt', '--disable'], 5, 'Did you mean jwt?'],
    [['delete', 'jwt', '--yes'], 6, 'jwt is built in; disable it instead'],
  ];
  for (const [words, code, message] of refused) {
    const answer = await home.cli(['redactions', ...words]);
    expect([words, answer.code, answer.stderr]).toEqual([words, code, expect.stringContaining(message)]);
  }
});
