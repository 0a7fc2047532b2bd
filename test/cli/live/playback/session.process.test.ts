import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen, startHome } from '../../../support/cli.ts';
import { personAt } from '../../../support/shell-scene.ts';
import { testWith } from '../../../support/tools.ts';
import { startIsolatedWorld } from '../../../support/world.ts';

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test('login checks a token from stdin and keeps it with its address, for its owner alone', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome();
  const result = await home.cli(['login', '--token', '-', '--base-url', `${world.url}/`], {
    input: `${world.orgToken}\n`,
  });
  expect(result).toMatchObject({ code: 0, stdout: '' });
  expect(result.stderr).toBe(`Signed in to ${world.url} as the org local (admin).\n`);
  const file = join(home.config, 'credentials.toml');
  expect(await readFile(file, 'utf8')).toBe(`token = "${world.orgToken}"\nbase_url = "${world.url}"\n`);
  expect(await mode(file)).toBe('600');
  expect(await mode(home.config)).toBe('700');
  const who = await home.cli(['whoami', '--fields', 'org_id,role']);
  expect(who.stdout).toBe(`${world.orgId}\tadmin\n`);
});

test('login with a wrong token saves nothing and leaves what was kept before', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome();
  const wrong = ['login', '--token', '-', '--base-url', world.url, '--json'];
  const first = await home.cli(wrong, { input: 'svc_org_wrong' });
  expect(first.code).toBe(4);
  expect(JSON.parse(first.stdout)).toMatchObject({ error: { code: 'unauthorized' } });
  await expect(stat(join(home.config, 'credentials.toml'))).rejects.toThrow('ENOENT');
  await home.cli(['login', '--token', '-', '--base-url', world.url], { input: world.orgToken });
  const kept = await readFile(join(home.config, 'credentials.toml'), 'utf8');
  expect((await home.cli(wrong, { input: 'svc_org_wrong' })).stderr).toContain('Nothing was saved');
  expect(await readFile(join(home.config, 'credentials.toml'), 'utf8')).toBe(kept);
});

test('a token on the command line is warned of, except for a service on this machine, and one of SERVICE_TOKEN is named', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome();
  const typed = (url: string) => home.cli(['login', '--token', world.orgToken, '--base-url', url]);
  const warning = 'Warning: a token on the command line';
  expect((await typed(world.url)).stderr).not.toContain(warning);
  // Reaches the same service, by an address that is not a loopback one.
  expect((await typed(world.url.replace('127.0.0.1', '0.0.0.0'))).stderr).toContain(warning);
  const fromEnvironment = await home.cli(['login'], { env: { SERVICE_TOKEN: world.orgToken } });
  expect(fromEnvironment.code).toBe(0);
  expect(fromEnvironment.stderr).toContain('SERVICE_TOKEN is set');
});

test('the flags of the sign-in by browser stand beside a token, and an address that is none is told at once', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome({ TEST_BASE_URL: world.url });
  for (const flags of [['--no-browser'], ['--portal-url', 'https://sign-in.example.com'], ['--org', 'local']]) {
    const withToken = await home.cli(['login', ...flags, '--token', '-'], { input: world.orgToken });
    expect(withToken.code).toBe(0);
  }
  const wrong = await home.cli(['login', '--portal-url', 'sign-in']);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('--portal-url: "sign-in" is not an http or https address');
});

test('a service without a sign-in by browser, and one that is not there, are told before anybody is sent there', async () => {
  await using home = await startHome();
  await using server = await listen((_, response) =>
    response.writeHead(404).end('{"error":{"code":"not_found","message":"path not found"}}'),
  );
  const none = await home.cli(['login', '--no-browser', '--base-url', server.url]);
  expect(none.code).toBe(1);
  expect(none.stderr).toContain(`Error: ${server.url} does not offer sign-in with the browser`);
  expect(none.stderr).toContain('cli login --token -');
  expect(server.requests).toEqual(['POST /cli/token']);
  await using page = await listen((_, response) => response.end('<h1>Welcome</h1>'));
  const other = await home.cli(['login', '--base-url', server.url, '--portal-url', page.url]);
  expect(other.stderr).toContain(`${page.url} does not offer sign-in with the browser`);
  const away = await home.cli(['login', '--portal-url', 'http://127.0.0.1:1', '--json']);
  expect(away.code).toBe(1);
  expect(JSON.parse(away.stdout)).toMatchObject({ error: { code: 'http_error' } });
  expect(away.stderr).toContain('127.0.0.1:1 refused the connection');
  await expect(stat(join(home.config, 'credentials.toml'))).rejects.toThrow('ENOENT');
});

test('an empty stdin is told from a wrong token', async () => {
  await using home = await startHome();
  for (const input of ['', ' \n']) {
    const { code, stderr } = await home.cli(['login', '--token', '-'], { input });
    expect(code).toBe(4);
    expect(stderr).toContain('Error: stdin has no token\n  Is the file empty, or did the command before the pipe');
  }
  const words = await home.cli(['login', '--token', '-'], { input: 'two words' });
  expect(words.stderr).toContain('the token of stdin contains spaces or invisible characters');
  const abbreviated = await home.cli(['login', '--token', '-'], { input: 'svc_org_716c…' });
  expect(abbreviated.stderr).toContain('the token of stdin is abbreviated (…)\n  Use the whole value');
});

test('login keeps a file that it cannot use under another name, once the token is good', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome();
  await mkdir(home.config, { recursive: true, mode: 0o700 });
  const file = join(home.config, 'credentials.toml');
  const damaged = `token = "svc_org_old\nbase_url = "${world.url}"\n`;
  await writeFile(file, damaged, { mode: 0o644 });
  const other = await home.cli(['whoami']);
  expect(other.code).toBe(1);
  expect(other.stderr).toMatch(/is not valid TOML.*\n {2}Correct it, or sign in again.*: cli login --token <token>/);
  const login = ['login', '--token', '-', '--base-url', world.url];
  expect((await home.cli(login, { input: 'svc_org_wrong' })).code).toBe(4);
  expect(await readFile(file, 'utf8')).toBe(damaged);
  const { code, stderr } = await home.cli(login, { input: world.orgToken });
  expect(code).toBe(0);
  const aside = /is kept as (.*)/.exec(stderr)?.[1] ?? '';
  expect(aside).toMatch(/credentials\.toml\.damaged-\d{8}T\d{6}Z$/);
  expect(await readFile(aside, 'utf8')).toBe(damaged);
  expect(await mode(aside)).toBe('600');
  expect((await home.cli(['whoami'])).code).toBe(0);
});

test('SERVICE_TOKEN comes before the file, for every command', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome();
  await home.cli(['login', '--token', '-', '--base-url', world.url], { input: world.orgToken });
  const result = await home.cli(['whoami'], { env: { SERVICE_TOKEN: 'svc_user_unknown' } });
  expect(result.code).toBe(4);
  expect(result.stderr).toContain('Error: Token rejected');
  expect(result.stderr).toContain('SERVICE_TOKEN is set');
});

test('logout deletes the file, says what it does not do, and calls nobody', async () => {
  await using server = await listen((_, response) =>
    response.end(
      '{"data":{"kind":"org","role":"admin","org":{"id":"o","name":"n"},"token":{"id":"t","last_four":"9f3c"}}}',
    ),
  );
  await using home = await startHome();
  await home.cli(['login', '--token', '-', '--base-url', server.url], { input: 'svc_org_9f3c' });
  server.requests.length = 0;
  const result = await home.cli(['logout']);
  expect(result).toMatchObject({ code: 0, stdout: '' });
  expect(result.stderr).toContain('Token is still valid on the server. Revoke it: cli tokens revoke <id>');
  expect(result.stderr).toContain('9f3c');
  await expect(stat(join(home.config, 'credentials.toml'))).rejects.toThrow('ENOENT');
  expect(server.requests).toEqual([]);
  expect((await home.cli(['logout', '--json'])).stdout).toBe('{"data":{"signed_out":false}}\n');
  expect(await home.cli(['robots', 'list'])).toMatchObject({ code: 4, stdout: '' });
});

test('keys that the client does not know stay in its file', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome();
  await mkdir(home.config, { recursive: true, mode: 0o700 });
  const file = join(home.config, 'credentials.toml');
  await writeFile(file, 'theme = "dark"\nlimit = 9007199254740993\n[profile]\nname = "kim"\n', { mode: 0o600 });
  await home.cli(['login', '--token', '-', '--base-url', world.url], { input: world.orgToken });
  const text = await readFile(file, 'utf8');
  expect(text).toContain('theme = "dark"');
  expect(text).toContain('limit = 9007199254740993');
  expect(text).toContain('[profile]\nname = "kim"');
  expect(text).toContain(`token = "${world.orgToken}"`);
});

test('a file that others can read is warned of, and one that is not TOML is named without its content', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome();
  await home.cli(['login', '--token', '-', '--base-url', world.url], { input: world.orgToken });
  const file = join(home.config, 'credentials.toml');
  await chmod(file, 0o644);
  const loose = await home.cli(['sites', 'list']);
  expect(loose).toMatchObject({ code: 0 });
  expect(loose.stderr).toBe(`Warning: ${file} is open to other users (0644). Run: chmod 600 ${file}\n`);
  await writeFile(file, 'token = "svc_org_secret\n');
  const broken = await home.cli(['sites', 'list']);
  expect(broken.code).toBe(1);
  expect(broken.stderr).toContain(`${file} is not valid TOML`);
  expect(broken.stderr).not.toContain('svc_org_secret');
});

test('XDG_CONFIG_HOME moves the directory if it is set', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome({ XDG_CONFIG_HOME: '' });
  const elsewhere = join(home.path, 'elsewhere');
  await home.cli(['login', '--token', '-', '--base-url', world.url], {
    input: world.orgToken,
    env: { XDG_CONFIG_HOME: elsewhere },
  });
  expect(await mode(join(elsewhere, 'service', 'credentials.toml'))).toBe('600');
});

testWith('tmux')('a token that is pasted on a terminal is not shown, and Ctrl-C ends that', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome();
  await using person = await personAt(home, world.url, {});
  const modes = await person.modes();
  await person.type('cli login --token -; echo "code $?"\r');
  await person.sees('Paste the token');
  await person.type('svc_user_\u0003');
  await person.sees('code 130');
  expect(await person.modes()).toBe(modes);
  await person.type('clear; echo $((6 * 7))\r');
  await person.sees(/^42$/m);
  await person.type('cli login --token -; echo "code $?"\r');
  await person.sees('Paste the token');
  await person.type(`${world.orgToken}\r`);
  await person.sees('code 0');
  const screen = await person.screen();
  expect(screen).toContain('Signed in to');
  expect(screen).not.toContain(world.orgToken);
  expect(screen).not.toContain('svc_');
  expect(await person.modes()).toBe(modes);
});
