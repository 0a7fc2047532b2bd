import { expect, test } from 'vitest';
import { listen, signedInHome, startHome } from '../../support/cli.ts';
import { testWith } from '../../support/tools.ts';
import { startWorld } from '../../support/world.ts';

const bodyOf = (...names: string[]) => JSON.stringify({ items: names.map((name, index) => ({ id: index, name })) });
const serving = (body: string) => listen((_, response) => response.end(body));
const homeOf = (server: { url: string }) => startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });

test('--jq prints texts without quotes and other results as JSON, one a line', async () => {
  await using server = await serving('{"items":[{"name":"a \\"b\\""},{"name":""},{"name":12345678901234567890}]}');
  await using home = await homeOf(server);
  const result = await home.cli(['sites', 'list', '--jq', '.items[].name, .items[0], null']);
  expect(result).toEqual({
    code: 0,
    stdout: 'a "b"\n\n12345678901234567890\n{"name":"a \\"b\\""}\nnull\n',
    stderr: '',
  });
});

test('an object, a change and any route are filtered like a list', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const created = await home.cli(['sites', 'create', 'Osaka', '--jq', '.data.name']);
  expect(created.stdout).toBe('Osaka\n');
  expect((await home.cli(['api', 'GET', '/api/sites', '--jq', '.items | length'])).stdout).toBe('1\n');
  expect((await home.cli(['whoami', '--jq', '.data.org.name'])).code).toBe(0);
});

test('each page of a list is a document of its own', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  for (const name of ['a', 'b', 'c']) await world.api.POST('/api/sites', { body: { name } });
  const pages = await home.cli(['sites', 'list', '--page-size', '2', '--jq', '[.items[].name]']);
  expect(pages.stdout).toBe('["a","b"]\n["c"]\n');
});

test.each([
  ['.items[', 'Error: --jq: syntax error, unexpected end of file at line 1, column 7:\n    .items[\n          ^\n'],
  [
    '.items | foo(1)',
    'Error: --jq: foo/1 is not defined at line 1, column 10:\n    .items | foo(1)\n             ^^^\n',
  ],
])('the expression %s is refused with its place before anything is sent', async (expression, message) => {
  await using server = await serving(bodyOf('a'));
  await using home = await homeOf(server);
  const { code, stdout, stderr } = await home.cli(['sites', 'list', '--jq', expression]);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: `${message}  The language: https://jqlang.org/manual\n`,
  });
  expect(server.requests).toEqual([]);
});

test('a result that fails is reported after those before it, and the exit code is 1', async () => {
  await using server = await serving(bodyOf('a'));
  await using home = await homeOf(server);
  const result = await home.cli(['sites', 'list', '--jq', '.items[0].name, .items.name']);
  expect(result).toEqual({
    code: 1,
    stdout: 'a\n',
    stderr: 'Error: --jq: Cannot index array with string ("name")\n',
  });
});

test('a failed command prints no envelope for --jq, also with --json', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  for (const more of [[], ['--json']]) {
    const { code, stdout, stderr } = await home.cli(['robots', 'show', 'amr-9', '--jq', '.data.id', ...more]);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toContain('robot "amr-9" not found');
  }
});

test.each([
  ['-o', 'json'],
  ['--fields', 'name'],
])('--jq and %s exclude each other', async (...flags) => {
  await using server = await serving(bodyOf());
  await using home = await homeOf(server);
  const { code, stderr } = await home.cli(['sites', 'list', '--jq', '.', ...flags]);
  expect(code).toBe(2);
  expect(stderr).toContain('exclude each other\n  --jq gets the body that --json prints. Use one of the two');
  expect(server.requests).toEqual([]);
});

test('a filter that needs more memory than jq has is refused with a way out', async () => {
  await using server = await serving(bodyOf('a'));
  await using home = await homeOf(server);
  const { code, stdout, stderr } = await home.cli(['sites', 'list', '--jq', '[range(100000000)] | length']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^Error: --jq cannot filter a response of 1 MiB: out of memory\n {2}Read a list in pages/);
});

testWith('script')('on a terminal values are indented, and control characters are visible signs', async () => {
  await using server = await serving(bodyOf('\u001b]52;c;eA==\u0007'));
  await using home = await homeOf(server);
  const { stdout } = await home.cli(['sites', 'list', '--jq', '.items[0].name, {a: 1}', '--no-color'], { columns: 80 });
  expect(stdout).toBe('\u241b]52;c;eA==\u2407\r\n{\r\n  "a": 1\r\n}\r\n');
});
