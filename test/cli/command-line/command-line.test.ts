import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen, startHome } from '../../support/cli.ts';
import { testWith } from '../../support/tools.ts';
import { catalog } from '../../../cli/command-specs/index.ts';
import manifest from '../../../package.json' with { type: 'json' };

const wrongLines: [line: string[], message: string][] = [
  [['robot'], 'unknown command "robot". Did you mean "robots"?'],
  [['robots', 'lst'], 'unknown command "robots lst". Did you mean "robots list"?'],
  [['admin', 'orgs', 'aprove'], 'Did you mean "admin orgs approve"?'],
  [['zzzzzz'], 'unknown command "zzzzzz".'],
  [['robots', 'list', '--flet', 'x'], 'unknown flag --flet. Did you mean --fleet?'],
  [['robots', 'list', '-x'], 'unknown flag -x.'],
  [
    ['robots', 'shell', 'amr-007', 'uname', '-a'],
    'unknown flag -a. Put a command with flags after two dashes: -- <command>',
  ],
  [['--site', 'x', 'robots', 'list'], 'the flag --site belongs after the command'],
  [['-o', 'xml', 'robots', 'list'], '--output takes table, wide, json, jsonl, yaml, name, tsv, kv, not "xml"'],
  [['robots', 'list', '--limit', '0'], '--limit takes a whole number from 1 up, not "0"'],
  [['robots', 'list', '--limit', '1e2'], '--limit takes a whole number'],
  [['logs', '--since', '-1h'], '--since: "-1h" is not a time or a time span'],
  [['robots', 'list', '--limit'], '--limit needs a value'],
  [['agent', 'run', '--log-file'], '--log-file needs a value'],
  [['agent', 'run', '--log-file', '/var/log/nav.log', '--log-file'], '--log-file needs a value'],
  [['agent', 'run', '--journal-unit', '--exec', 'dmesg -w'], '--journal-unit needs a value'],
  [['agent', 'run', '--exec='], '--exec needs a value'],
  [['robots', 'list', '--limit', '5', '--limit', '6'], '--limit can only be set once'],
  [['audit', 'list', '--limit', '1001'], '--limit takes a whole number from 1 to 1000, not "1001"'],
  [['robots', 'list', '--page-size', '1001'], '--page-size takes a whole number from 1 to 1000'],
  [['robots', 'list', '--watch', '-o', 'tsv'], '--watch prints jsonl here, not tsv'],
  [['robots', 'list', '--profile', '../agent'], '--profile: "../agent" is not a valid profile name'],
  [['robots', 'list', '-o', 'xml'], '--output takes table, wide, json, jsonl, yaml, name, tsv, kv, not "xml"'],
  [['robots', 'list', '--fields', 'nmae'], 'unknown field "nmae"'],
  [['robots', 'list', 'extra'], 'unexpected argument "extra"'],
  [['sites', 'create'], 'missing argument <name>'],
  [['sites', 'create', ''], 'missing argument <name>'],
  [['fleets', 'create', 'pickers'], 'missing flag --site <id|name>'],
  [['robots', 'label', 'amr-007'], 'missing argument <label>'],
  [['robots', 'label', 'amr-007', '=2'], 'is not name=value or name-'],
  [['users', 'role', 'kim@example.com', 'king'], '<role> is viewer, operator, admin, not "king"'],
  [['completion', 'tcsh'], '<shell> is bash, zsh, fish, pwsh, not "tcsh"'],
  [['robots', 'list', '--json=yes'], '--json takes no value'],
  [
    ['robots', 'list', '--base-url', 'fleet.example.com'],
    '--base-url: "fleet.example.com" is not an http or https address',
  ],
];

test('a time span with a sign is refused with the one that is meant', async () => {
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x' });
  for (const line of [
    ['--since', '-1h30m'],
    ['--until=-1h30m', '--since=2h'],
  ]) {
    const { code, stderr } = await home.cli(['logs', ...line]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/A time span has no sign; it is before now: --(since|until) 1h30m$/m);
  }
});

test.each(wrongLines)(
  'a wrong line is told in one sentence, ends with 2 and sends nothing: %j',
  async (line, message) => {
    await using server = await listen((_, response) => response.end());
    await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x' });
    const address = line.includes('--base-url') || line[0] === 'completion' ? [] : ['--base-url', server.url];
    const result = await home.cli([...line, ...address]);
    expect(result.stderr.split('\n')[0]).toContain(message);
    expect(result.stderr).toMatch(/^Error: /);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(server.requests).toEqual([]);
  },
);

test('flags that every command takes may stand before and between its words', async () => {
  await using server = await listen((_, response) => response.end('{"items":[]}'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x' });
  const result = await home.cli(['--base-url', server.url, 'robots', '--json', 'list']);
  expect(result).toEqual({ code: 0, stdout: '{"items":[]}\n', stderr: '' });
});

test.each([
  [['-o', 'json', 'robots', 'list'], ''],
  [['robots', '-o', 'json', 'list'], ''],
  [['--output', 'json', '--fields', 'id,name', '--no-pager', 'robots', 'list'], ''],
  [['--profile', 'default', '--no-color', '--ca-file', '/dev/null', '-o', 'json', 'robots', 'list'], 'ca-file'],
  [['--org', '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01', '--debug', '-o=json', 'robots', 'list'], ''],
])('flags of the output may stand before the words of the command too: %j', async (line, refusal) => {
  await using server = await listen((_, response) => response.end('{"items":[{"id":"r1","name":"amr-007"}]}'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const result = await home.cli(line);
  if (refusal !== '') return expect(result.stderr).toContain(refusal);
  expect(JSON.parse(result.stdout)).toMatchObject({ items: [{ id: 'r1', name: 'amr-007' }] });
  return expect(server.requests).toEqual(['GET /api/robots']);
});

test('what follows two dashes is an argument, whatever it looks like', async () => {
  await using server = await listen((request, response) => request.pipe(response));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x' });
  const result = await home.cli([
    'api',
    'POST',
    '--base-url',
    server.url,
    '-f',
    'name=a',
    '-f',
    'count:=2',
    '--',
    '/api/sites',
  ]);
  expect(result.stdout).toBe('{"name":"a","count":2}');
  expect(server.requests).toEqual(['POST /api/sites']);
});

test('a value has its quotes, after a space and after an equals sign', async () => {
  await using server = await listen((_, response) => response.end('{"items":[]}'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  for (const value of ['"[^"]+"', "'a'", '""', '"', `"a" 'b'`, '"a\nb"', '\'"a"\'']) {
    await home.cli(['robots', 'list', '--name', value, '--label', value]);
    await home.cli(['robots', 'list', `--name=${value}`, `--label=${value}`]);
    const sent = server.requests.splice(0).map((each) => new URL(each.replace('GET ', server.url)).searchParams);
    expect(sent.map((query) => [query.get('name'), query.get('label')])).toEqual([
      [value, value],
      [value, value],
    ]);
  }
});

test('the version is that of the package', async () => {
  await using home = await startHome();
  const expected = { code: 0, stdout: `${manifest.version}\n`, stderr: '' };
  expect(await home.cli(['--version'])).toEqual(expected);
  expect(await home.cli(['version'])).toEqual(expected);
});

test('a command reads no file of the client but those that it needs', async () => {
  await using home = await startHome();
  const hook = join(home.path, 'hook.cjs');
  await writeFile(
    hook,
    `process.on('exit', () => console.error('read ' + Object.keys(require.cache).map((path) => path.split('/').pop())))`,
  );
  const filesOf = async (...args: string[]) =>
    /^read hook\.cjs,(.*)$/m.exec((await home.cli(args, { env: { NODE_OPTIONS: `--require ${hook}` } })).stderr)?.[1];
  expect(await filesOf('--version')).toBe('main.js');
  expect(await filesOf('--help')).toBe('main.js,root-help.js');
  expect(await filesOf('robots', 'list')).toBe('main.js,run.js');
  expect(await filesOf('robots', 'list', '--limit', '5')).toBe('main.js,run.js,split-line.js');
  expect(await filesOf('agent', 'run')).toBe('main.js,agent-launcher.js,run.js');
});

test('no words at all give help and end with 0; a group alone is unfinished and ends with 2', async () => {
  await using home = await startHome();
  const root = await home.cli([]);
  expect(root).toMatchObject({ code: 0, stderr: '' });
  expect(root.stdout).toContain('EXAMPLES');
  const group = await home.cli(['robots']);
  expect(group).toMatchObject({ code: 2, stdout: '' });
  expect(group.stderr).toContain('robots rename <robot> <name>');
  expect(await home.cli(['robots', '--help'])).toMatchObject({ code: 0, stderr: '' });
});

test('help lists the daily commands first, and then the words of all others, each once', async () => {
  await using home = await startHome();
  const { stdout } = await home.cli(['help']);
  const list = stdout.slice(stdout.indexOf('DAILY COMMANDS'), stdout.indexOf('GLOBAL FLAGS'));
  const [daily = [], ...others] = list
    .trim()
    .split('\n\n')
    .map((section) => [...section.matchAll(/^ {2}(\S.*?) {2}/gm)].map(([, words = '']) => words));
  expect(daily).toEqual(catalog.program.daily);
  const listed = [...daily, ...others.flat()];
  expect(listed).toEqual([...new Set(listed)]);
  const left = catalog.commands.filter(
    ({ path }) => !listed.some((words) => words === path || words === `${path.split(' ')[0]} …`),
  );
  expect(left).toEqual([]);
});

testWith('script')('help fits a terminal, and breaks between words', async () => {
  await using home = await startHome();
  for (const line of [['help'], ['help', 'robots', 'logs'], ['help', 'deploy'], ['robots', '--help']]) {
    const { stdout } = await home.cli([...line, '--no-color'], { columns: 80 });
    // Lines to copy are whole.
    const texts = stdout.split('\r\n').filter((each) => !/^ {2}(\$|cli )/.test(each));
    expect(texts.filter((each) => each.length > 80)).toEqual([]);
    const words = (text: string) => text.split(/\s+/).filter(Boolean);
    expect(words(stdout)).toEqual(words((await home.cli(line)).stdout));
  }
});

test('help of a command begins with its examples and is the same by every way of asking', async () => {
  await using home = await startHome();
  const { stdout } = await home.cli(['help', 'keys', 'new']);
  expect(stdout.indexOf('EXAMPLES')).toBeLessThan(stdout.indexOf('USAGE'));
  expect(stdout).toContain('--expires-in-hours <n>');
  expect(await home.cli(['keys', 'new', '--help'])).toEqual({ code: 0, stdout, stderr: '' });
  expect(await home.cli(['keys', 'new', '-h', '--max-uses'])).toEqual({ code: 0, stdout, stderr: '' });
});

test('help names each flag once, also one to which the command gives a meaning of its own', async () => {
  await using home = await startHome();
  const { stdout } = await home.cli(['agent', 'simulate', '--help']);
  const names = [...stdout.matchAll(/^ {2}.{4}(--[a-z-]+)/gm)].map(([, name]) => name);
  expect(names).toContain('--profile');
  expect(names).toEqual([...new Set(names)]);
});
