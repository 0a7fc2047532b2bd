import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bin, listen, signedInHome, startHome, type Listener } from '../../support/cli.ts';
import { robotsOf } from '../../support/robots.ts';
import { testWith } from '../../support/tools.ts';
import { startWorld } from '../../support/world.ts';

const escape = '\u001b';
const evil = `\u001b]52;c;eA==\u0007 \u009b31m \r\u202e東京\tx\ny\u007f`;
const site = (name: string) => ({ id: `id-${name.length}`, name, created_at: '2026-11-21T09:00:00.000Z' });

const nobody = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11';

const listOf = (items: object[]): Promise<Listener> => listen((_, response) => response.end(JSON.stringify({ items })));
const homeOf = (server: Listener) => startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });

test('a list in a pipe is TSV without header, colour or cut, with RFC 3339 times', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const name = 'x'.repeat(120);
  const { data } = await world.api.POST('/api/sites', { body: { name } });
  const result = await home.cli(['sites', 'list']);
  expect(result).toEqual({
    code: 0,
    stdout: `${data?.data.id ?? ''}\t${name}\t${data?.data.created_at ?? ''}\t\n`,
    stderr: '',
  });
});

test('--json is the body byte for byte and one line feed', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await world.api.POST('/api/sites', { body: { name: 'Osaka 大阪 "x"' } });
  const { text } = await world.call('GET', '/api/sites');
  expect((await home.cli(['sites', 'list', '--json'])).stdout).toBe(`${text}\n`);
  expect((await home.cli(['api', 'GET', '/api/sites'])).stdout).toBe(`${text}\n`);
});

test('--json keeps spaces, order and line ends of the body, because it is never parsed and written anew', async () => {
  const body = '{ "items" : [ ] ,\n "next_cursor":"\\u0061" }\n';
  await using server = await listen((_, response) => response.end(body));
  await using home = await homeOf(server);
  expect((await home.cli(['sites', 'list', '--json'])).stdout).toBe(`${body}\n`);
});

test('each format writes the same list in its own way', async () => {
  await using server = await listOf([site('Osaka'), site('yes')]);
  await using home = await homeOf(server);
  const print = async (...flags: string[]) => (await home.cli(['sites', 'list', ...flags])).stdout;
  expect(await print('-o', 'name')).toBe('Osaka\nyes\n');
  expect(await print('-o', 'jsonl', '--fields', 'name')).toBe('{"name":"Osaka"}\n{"name":"yes"}\n');
  expect(JSON.parse(await print('-o', 'json'))).toEqual({ items: [site('Osaka'), site('yes')] });
  expect(await print('-o', 'yaml', '--fields', 'name,id')).toBe(
    'items:\n  - name: Osaka\n    id: id-5\n  - name: "yes"\n    id: id-3\n',
  );
  expect(await print('--fields', 'name,id')).toBe('Osaka\tid-5\nyes\tid-3\n');
  expect(await print('-o', 'table', '--fields', 'id,name')).toBe('ID    NAME\nid-5  Osaka\nid-3  yes\n');
});

test('--fields help lists the fields and calls nobody', async () => {
  await using server = await listOf([]);
  await using home = await homeOf(server);
  expect((await home.cli(['sites', 'list', '--fields', 'help'])).stdout).toBe(
    'id\nname\ncreated_at\nartifact_base_url\n',
  );
  expect(server.requests).toEqual([]);
});

test('a limit gives so many and tells where to go on; without one a single call gives everything', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  for (const name of ['a', 'b', 'c']) await world.api.POST('/api/sites', { body: { name } });
  const page = await home.cli(['sites', 'list', '--limit', '2', '-o', 'json']);
  const { items, next_cursor: cursor } = JSON.parse(page.stdout) as { items: { name: string }[]; next_cursor: string };
  expect(items.map(({ name }) => name)).toEqual(['a', 'b']);
  expect((await home.cli(['sites', 'list', '--limit', '2', '--cursor', cursor, '-o', 'name'])).stdout).toBe('c\n');
  expect((await home.cli(['sites', 'list', '-o', 'name'])).stdout).toBe('a\nb\nc\n');
});

testWith('script')('a terminal gets a header, relative times and colours, cut to its width', async () => {
  await using server = await listOf([
    { ...site('x'.repeat(200)), created_at: new Date(Date.now() - 7_200_000).toISOString() },
  ]);
  await using home = await homeOf(server);
  const { stdout } = await home.cli(['sites', 'list'], { columns: 60 });
  const lines = stdout.trimEnd().split('\r\n');
  expect(lines[0]).toContain(`${escape}[90mNAME${escape}[39m`);
  expect(lines[1]).toMatch(/^id-200 {2}x+… {2}2h ago$/);
  // The last column is as wide as its header, a letter more than its time.
  expect(lines[1]).toHaveLength(59);
});

testWith('script')(
  'ids are short on a terminal and never cut, because people copy them; -o wide has everything',
  async () => {
    const id = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71';
    await using server = await listOf([{ ...site('x'.repeat(100)), id }]);
    await using home = await homeOf(server);
    const { stdout } = await home.cli(['sites', 'list'], { columns: 40 });
    expect(stdout).toMatch(/^2f0d9c71 {2}x+… {2}/m);
    const wide = (await home.cli(['sites', 'list', '-o', 'wide'], { columns: 40 })).stdout;
    expect(wide).toMatch(new RegExp(`^${id} {2}${'x'.repeat(100)} `, 'm'));
  },
);

testWith('script')('a narrow terminal omits columns and cuts others before it cuts a name', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const name = 'forklift-with-a-long-name-01';
  await robotsOf(world).enroll(name);
  const wide = (await home.cli(['robots', 'list', '--no-color'], { columns: 140 })).stdout;
  for (const header of ['LABELS', 'ENROLLED', 'SITE']) expect(wide).toContain(header);
  const narrow = (await home.cli(['robots', 'list', '--no-color'], { columns: 80 })).stdout;
  expect(narrow).toContain(name);
  expect(narrow).not.toContain('ENROLLED');
  expect(narrow).toContain('never seen');
  for (const line of narrow.split('\r\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('a table in a pipe has no width to be cut to', async () => {
  await using server = await listOf([site('x'.repeat(300))]);
  await using home = await homeOf(server);
  expect((await home.cli(['sites', 'list', '-o', 'table'])).stdout).toContain(`  ${'x'.repeat(300)}  `);
});

testWith('script')('a value that is shown once is whole on the narrowest terminal', async () => {
  const value = `svc_enroll_${'a'.repeat(64)}`;
  await using server = await listen((_, response) => response.end(JSON.stringify({ data: { id: 'k', value } })));
  await using home = await homeOf(server);
  const line = ['keys', 'new', '--site', nobody, '--fleet', nobody, '-o', 'table'];
  expect((await home.cli(line, { columns: 20 })).stdout).toContain(value);
});

testWith('script').each([
  ['NO_COLOR', { NO_COLOR: '1' }, []],
  ['NO_COLOR before FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, []],
  ['TERM=dumb', { TERM: 'dumb' }, []],
  ['--no-color', {}, ['--no-color']],
])('%s leaves no escape on a terminal', async (_, env, flags) => {
  await using server = await listOf([site('Osaka')]);
  await using home = await homeOf(server);
  const { stdout } = await home.cli(['sites', 'list', ...flags], { columns: 80, env: env });
  expect(stdout).toContain('Osaka');
  expect(stdout).not.toContain(escape);
});

test('FORCE_COLOR and CLICOLOR_FORCE colour a pipe', async () => {
  await using server = await listOf([site('Osaka')]);
  await using home = await homeOf(server);
  for (const name of ['FORCE_COLOR', 'CLICOLOR_FORCE']) {
    expect((await home.cli(['sites', 'list', '-o', 'table'], { env: { [name]: '1' } })).stdout).toContain(escape);
  }
});

test('no control character of the server reaches the output of any format but the raw body', async () => {
  await using server = await listOf([site(evil)]);
  await using home = await homeOf(server);
  for (const format of ['table', 'wide', 'tsv', 'name', 'yaml']) {
    const { stdout } = await home.cli(['sites', 'list', '-o', format]);
    expect(stdout.replaceAll('\n', '').replaceAll('\t', ''), format).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(stdout, format).toContain('東京');
  }
  const tsv = (await home.cli(['sites', 'list'])).stdout;
  expect(tsv.split('\n')).toHaveLength(2);
  expect(tsv.split('\t')).toHaveLength(4);
});

testWith('script')('the raw body on a terminal is the same JSON with its dangerous characters escaped', async () => {
  await using server = await listOf([site(evil)]);
  await using home = await homeOf(server);
  const { stdout } = await home.cli(['sites', 'list', '--json'], { columns: 80 });
  expect(stdout).not.toMatch(/[\u007f-\u009f\u202e\u001b]/);
  expect(JSON.parse(stdout)).toEqual({ items: [site(evil)] });
});

test('an error message of the server is made harmless too', async () => {
  await using server = await listen((_, response) => {
    response.statusCode = 409;
    response.end(JSON.stringify({ error: { code: 'conflict', message: evil } }));
  });
  await using home = await homeOf(server);
  const { code, stderr } = await home.cli(['sites', 'list']);
  expect(code).toBe(6);
  expect(stderr.replaceAll('\n', '').replaceAll('\t', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
});

testWith('script')('wide characters keep the columns in line', async () => {
  await using server = await listOf([site('東京'), site('Osaka')]);
  await using home = await homeOf(server);
  const { stdout } = await home.cli(['sites', 'list', '--fields', 'name,id', '--no-color'], { columns: 80 });
  expect(stdout.split('\r\n').slice(1, 3)).toEqual(['Osaka  id-5', '東京   id-2']);
});

testWith('script')('an empty list says on a terminal what to do, and nothing in a pipe', async () => {
  await using server = await listOf([]);
  await using home = await homeOf(server);
  expect((await home.cli(['sites', 'list'], { columns: 80 })).stdout).toBe(
    'No sites. Create one: cli sites create <name>\r\n',
  );
  expect((await home.cli(['robots', 'list', '--name', 'x'], { columns: 80 })).stdout).toBe(
    'No robots match these filters.\r\n',
  );
  expect((await home.cli(['robots', 'list', '--pinned'], { columns: 90 })).stdout).toBe(
    'No pinned robots. Pin one: cli robots pin <robot> --until <time> --reason <text>\r\n',
  );
  expect(await home.cli(['sites', 'list'])).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('stdout on a full disk fails a command with a reason, and stderr there changes nothing', async () => {
  await using server = await listen((request, response) => {
    const isRefused = request.url === '/api/fleets';
    if (isRefused) response.statusCode = 409;
    const error = { code: 'conflict', message: 'not now' };
    response.end(JSON.stringify(isRefused ? { error } : { items: [site('Osaka')] }));
  });
  const run = (line: string) =>
    promisify(execFile)('bash', ['-c', `'${process.execPath}' '${bin}' ${line}`], {
      env: { ...process.env, SERVICE_TOKEN: 'svc_org_x', HOME: '/nonexistent' },
    }).catch((error: unknown) => error);
  expect(await run(`sites list --base-url ${server.url} >/dev/full`)).toMatchObject({
    code: 1,
    stderr:
      'Error: cannot write to stdout: ENOSPC: no space left on device, write\n  Write the output to another place\n',
  });
  expect(await run(`fleets list --json --base-url ${server.url} 2>/dev/full`)).toMatchObject({
    code: 6,
    stdout: '{"error":{"code":"conflict","message":"not now"}}\n',
  });
});

test('a reader that closes early is no error', async () => {
  await using server = await listOf(Array.from({ length: 20_000 }, () => site('x'.repeat(100))));
  const line = `set -o pipefail; '${process.execPath}' '${bin}' sites list --base-url ${server.url} | head -1 | wc -l`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', line], {
    env: { ...process.env, SERVICE_TOKEN: 'svc_org_x', HOME: '/nonexistent' },
  });
  expect([stdout.trim(), stderr]).toEqual(['1', '']);
});
