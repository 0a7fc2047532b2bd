import { expect, test } from 'vitest';
import { signedInHome, type Home } from '../../support/cli.ts';
import { factories } from '../../support/factories.ts';
import { logRobot } from '../../support/log-robot.ts';
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

test('a pattern is tested on the newest records of the org, a robot or a fleet, and what would change is printed', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  const [first, second] = [await make.robot('amr-007'), await make.robot('amr-008')];
  using one = await logRobot(world.url, first.robot_token);
  using other = await logRobot(world.url, second.robot_token);
  await one.say('door code: 1234', 'dock reached', 'door code: 77');
  await other.say('door code: 5678 given');
  const tested = (...flags: string[]) =>
    line(home, 'test', 'code: ?[0-9]{4}', '--fields', 'before,after', ...flags).then((text) => text.split('\n'));
  const [old, late] = ['door code: 1234\tdoor [redacted]', 'door code: 5678 given\tdoor [redacted] given'];
  expect(await tested()).toEqual([late, old]);
  expect(await tested('--robot', 'amr-007', '--replacement', '')).toEqual(['door code: 1234\tdoor ']);
  expect(await tested('--fleet', second.fleet_id, '--since', '1h')).toEqual([late]);
  expect(await tested('--limit', '1')).toEqual([late]);
  const early = await home.cli(['redactions', 'test', 'x', '--until', '2020-01-01T00:00:00Z']);
  expect([early.code, early.stdout, early.stderr]).toEqual([
    0,
    '',
    'Nothing was tested: no stored log record matches these filters.\n',
  ]);
  const table = await home.cli(['redactions', 'test', 'code: ?[0-9]{4}', '--robot', 'amr-008', '-o', 'table']);
  expect(table.stdout).toMatch(
    /TIME +ROBOT +BEFORE +AFTER\n.* amr-008 +door code: 5678 given +door \[redacted\] given/,
  );
  const json = await home.cli(['redactions', 'test', 'code: ?[0-9]{4}', '--json']);
  expect(JSON.parse(json.stdout).data).toMatchObject({ matched: 2, results: { length: 4 } });
  expect((await home.cli(['redactions', 'test', 'x', '--robot', 'amr-00'])).stderr).toContain('Did you mean amr-00');
});

test('a pattern is tested on lines of the command or of stdin, with the built-in rule that changes them already', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const fields = ['--fields', 'before,after,builtin_rule'];
  expect(await line(home, 'test', '[0-9]+', '--text', 'code 1', '--text', 'none', ...fields)).toBe(
    'code 1\tcode [redacted]\t',
  );
  const token = `svc_org_${'0a'.repeat(32)}`;
  expect(await line(home, 'test', 'org_0a', '--text', token, ...fields)).toBe(
    `${token}\tsvc_[redacted]${'0a'.repeat(31)}\tservice-token`,
  );
  const input = 'pin=1\r\n\nPIN=22 and more\n';
  const piped = await home.cli(['redactions', 'test', '(?i)pin=[0-9]+', '--text', '-', ...fields], { input });
  expect(piped.stdout).toBe('pin=1\t[redacted]\t\nPIN=22 and more\t[redacted] and more\t\n');
});

test('more messages than a request may have are tested in several requests', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const input = [...Array.from({ length: 1_500 }, (_each, index) => `code ${index}`), 'x'.repeat(16_000)].join('\n');
  const many = await home.cli(['redactions', 'test', 'code 1[0-9]{3}', '--text', '-', '--fields', 'before'], { input });
  expect(many.stdout.trim().split('\n')).toHaveLength(500);
  const long = Array.from({ length: 20 }, (_each, index) => `${'é'.repeat(8_000)}${index}`).join('\n');
  const json = await home.cli(['redactions', 'test', '[0-9]+', '--text', '-', '--json'], { input: long });
  expect(JSON.parse(json.stdout).data).toMatchObject({ matched: 20, results: { length: 20 } });
});

test('what cannot be tested is said, also for an org that never had a log record', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const said: [words: string[], code: number, text: string][] = [
    [['code'], 0, 'Nothing was tested: the org has no log records. Test a line with: cli redactions test'],
    [['('], 1, 'is not a regular expression in RE2 syntax: missing closing )'],
    [['a*', '--text', 'a'], 1, 'matches the empty text'],
    [['a', '--text', 'x'.repeat(16_385)], 1, 'body.messages'],
    [['a', '--text', 'a', '--robot', 'amr-007'], 2, '--text and --robot exclude each other'],
    [['a', '--robot', 'amr-007'], 5, 'robot "amr-007" not found'],
    [['a', '--text', '-'], 2, 'stdin has no line'],
    [[], 2, '<pattern>'],
  ];
  for (const [words, code, message] of said) {
    const answer = await home.cli(['redactions', 'test', ...words], { input: '' });
    expect([words, answer.code, answer.stderr]).toEqual([words, code, expect.stringContaining(message)]);
  }
});
