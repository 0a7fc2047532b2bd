import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen, startHome, type Home } from '../../support/cli.ts';
import { startWorld } from '../../support/world.ts';

const whoami =
  '{"kind":"org","role":"admin","org":{"id":"o","name":"local"},"orgs":[],"token":{"id":"t","last_four":"aaaa"}}';

/** A service that knows every token, and says who asked. */
async function anyService() {
  const tokens: (string | undefined)[] = [];
  const server = await listen((request, response) => {
    tokens.push(request.headers.authorization?.replace('Bearer ', ''));
    response.end(request.url === '/api/whoami' ? `{"data":${whoami}}` : '{"items":[]}');
  });
  return Object.assign(server, { tokens });
}

const login = (home: Home, url: string, token: string, ...flags: string[]) =>
  home.cli(['login', '--token', '-', '--base-url', url, ...flags], { input: token });

const profileFile = (home: Home, name: string) => join(home.config, 'profiles', `${name}.toml`);

test('login --profile keeps token and address in a file of its own, for its owner alone', async () => {
  await using world = await startWorld();
  await using home = await startHome();
  const result = await login(home, world.url, world.orgToken, '--profile', 'staging');
  expect(result.stderr).toBe(
    `Signed in to ${world.url} as the org local (admin), profile staging.\nTo use it without the flag: cli context use staging\n`,
  );
  const file = profileFile(home, 'staging');
  expect(await readFile(file, 'utf8')).toBe(`token = "${world.orgToken}"\nbase_url = "${world.url}"\n`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(home.config, 'profiles'))).mode & 0o777).toBe(0o700);
  await expect(stat(join(home.config, 'credentials.toml'))).rejects.toThrow('ENOENT');
  expect((await home.cli(['whoami', '--profile', 'staging', '--fields', 'role'])).stdout).toBe('admin\n');
  expect((await home.cli(['whoami'])).code).toBe(4);
});

test('login to a new profile without an address names the default one, or asks for one if there are several services', async () => {
  await using server = await anyService();
  await using home = await startHome();
  const add = (...args: string[]) => home.cli(['login', '--token', '-', ...args], { input: 'svc_org_b' });
  const alone = await add('--profile', 'b');
  expect(alone.stderr).toMatch(/^Using http:\/\/127\.0\.0\.1:8080, the default address\. .*--base-url <url>\.\n/);
  await login(home, server.url, 'svc_org_staging', '--profile', 'staging');
  const asked = server.requests.length;
  const refused = await add('--profile', 'b');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(
    /^Error: the profile "b" has no address yet\n {2}Give its address: cli login --profile b --base-url <url> /,
  );
  expect(refused.stderr).toContain(`Saved addresses: ${server.url} (staging).`);
  expect(server.requests).toHaveLength(asked);
  await expect(stat(profileFile(home, 'b'))).rejects.toThrow('ENOENT');
  expect((await add('--profile', 'staging')).code).toBe(0);
  expect((await add()).stderr).toMatch(/^Using http:\/\/127\.0\.0\.1:8080, the default address\./);
});

test('the flag comes before SERVICE_PROFILE, that before context use, and that before the default', async () => {
  await using server = await anyService();
  await using home = await startHome();
  await login(home, server.url, 'svc_org_default');
  for (const name of ['flag', 'variable', 'context'])
    await login(home, server.url, `svc_org_${name}`, '--profile', name);
  const used = async (args: string[], env: Record<string, string> = {}) => {
    expect((await home.cli(['sites', 'list', ...args], { env })).code).toBe(0);
    return server.tokens.at(-1);
  };
  expect(await used([])).toBe('svc_org_default');
  expect((await home.cli(['context', 'use', 'context'])).stderr).toContain('Commands use the profile context');
  expect(await readFile(join(home.config, 'context.toml'), 'utf8')).toBe('profile = "context"\n');
  expect(await used([])).toBe('svc_org_context');
  const variable = { SERVICE_PROFILE: 'variable' };
  expect(await used([], variable)).toBe('svc_org_variable');
  expect(await used(['--profile', 'flag'], variable)).toBe('svc_org_flag');
  expect(await used(['--profile', 'default'], variable)).toBe('svc_org_default');
  await home.cli(['context', 'use', 'default']);
  await expect(stat(join(home.config, 'context.toml'))).rejects.toThrow('ENOENT');
  expect(await used([])).toBe('svc_org_default');
});

test('SERVICE_TOKEN comes before a profile’s token, but not before that of a flag: it would reach another service', async () => {
  await using server = await anyService();
  await using home = await startHome();
  await login(home, server.url, 'svc_org_staging', '--profile', 'staging');
  const env = { SERVICE_TOKEN: 'svc_org_variable' };
  await home.cli(['sites', 'list'], { env: { ...env, SERVICE_PROFILE: 'staging' } });
  expect(server.tokens.at(-1)).toBe('svc_org_variable');
  await home.cli(['sites', 'list', '--profile', 'staging'], { env });
  expect(server.tokens.at(-1)).toBe('svc_org_staging');
});

test('a profile that is not there ends the command before anything is sent', async () => {
  await using server = await anyService();
  await using home = await startHome();
  await login(home, server.url, 'svc_org_staging', '--profile', 'staging');
  const asked = server.requests.length;
  const typed = await home.cli(['sites', 'list', '--profile', 'stagin', '--base-url', server.url], {
    env: { SERVICE_TOKEN: 'svc_org_variable' },
  });
  expect(typed.code).toBe(4);
  expect(typed.stderr).toContain('profile "stagin" not found (named by --profile)');
  expect(typed.stderr).toContain('Did you mean staging? List profiles with: cli context list.');
  expect(server.requests).toHaveLength(asked);
  const chosen = await home.cli(['context', 'use', 'stagin']);
  expect(chosen).toMatchObject({ code: 5, stdout: '' });
  expect(chosen.stderr).toContain('Profiles: default, staging');
});

test('logout forgets one profile and leaves the others', async () => {
  await using server = await anyService();
  await using home = await startHome();
  await login(home, server.url, 'svc_org_default');
  await login(home, server.url, 'svc_org_staging', '--profile', 'staging');
  await home.cli(['context', 'use', 'staging']);
  expect((await home.cli(['logout'])).stderr).toContain('Signed out, profile staging.');
  await expect(stat(profileFile(home, 'staging'))).rejects.toThrow('ENOENT');
  // Not the default one now: that may be another service.
  expect((await home.cli(['sites', 'list'])).code).toBe(4);
  expect((await home.cli(['sites', 'list', '--profile', 'default'])).code).toBe(0);
});

test('context list shows each profile and which one is used', async () => {
  await using server = await anyService();
  await using home = await startHome();
  await login(home, server.url, 'svc_org_staging', '--profile', 'staging');
  const { stdout } = await home.cli(['context', 'list', '--json'], { env: { SERVICE_PROFILE: 'staging' } });
  expect(JSON.parse(stdout)).toEqual({
    items: [
      { name: 'default', current: false, signed_in: false },
      { name: 'staging', current: true, signed_in: true, base_url: server.url },
    ],
  });
});

test('a robot enrolls at the address of the profile, and doctor names the profile and its loose file', async () => {
  await using server = await anyService();
  await using home = await startHome();
  await login(home, server.url, 'svc_org_staging', '--profile', 'staging');
  await home.cli(['agent', 'run', '--profile', 'staging', '--enrollment-key', 'svc_enroll_x']);
  expect(server.requests.at(-1)).toBe('POST /agent/enroll');
  await chmod(profileFile(home, 'staging'), 0o644);
  const { stdout } = await home.cli(['doctor', '--profile', 'staging']);
  expect(stdout).toContain(`settings\t${server.url}, from profiles/staging.toml; profile staging, from --profile\n`);
  expect(stdout).toMatch(/^warn\tfiles\t.*chmod 600 \S+\/profiles\/staging\.toml/m);
});

test('config sources names the place of each value, flag before environment before file before default', async () => {
  await using home = await startHome();
  const sources = async (flags: string[] = [], env: Record<string, string> = {}) => {
    const { stdout, code } = await home.cli(['config', 'sources', ...flags], { env });
    expect(code).toBe(0);
    return Object.fromEntries(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => [line.split('\t')[0], line.split('\t').slice(1)]),
    );
  };
  expect(await sources()).toMatchObject({
    profile: ['default', 'the default'],
    base_url: ['http://127.0.0.1:8080', 'the default'],
    token: ['', 'nowhere'],
    colour: ['on a terminal', 'the default'],
    pager: ['less -FIRX', 'the default'],
    https_proxy: ['', 'nowhere'],
    ca_file: ['', 'nowhere'],
  });
  await mkdir(join(home.config, 'profiles'), { recursive: true });
  const [token, variable] = [`svc_user_${'a'.repeat(60)}1234`, `svc_user_${'b'.repeat(60)}5678`];
  await writeFile(profileFile(home, 'staging'), `token = "${token}"\nbase_url = "https://staging.example.com"\n`);
  const env = {
    SERVICE_PROFILE: 'staging',
    PAGER: 'more',
    NO_COLOR: '1',
    https_proxy: 'http://kim:secret@proxy:3128',
    NODE_EXTRA_CA_CERTS: '/etc/hosts',
  };
  expect(await sources([], env)).toMatchObject({
    profile: ['staging', 'SERVICE_PROFILE'],
    base_url: ['https://staging.example.com', 'profiles/staging.toml'],
    token: ['…1234', 'profiles/staging.toml'],
    colour: ['off', 'NO_COLOR'],
    pager: ['more', 'PAGER'],
    https_proxy: ['http://…@proxy:3128', 'https_proxy'],
    ca_file: ['/etc/hosts', 'NODE_EXTRA_CA_CERTS'],
  });
  const flags = ['--base-url', 'https://other.example.com', '--ca-file', 'own.pem', '--no-color', '--no-pager'];
  expect(await sources(flags, { ...env, SERVICE_TOKEN: variable, CLI_PAGER: '' })).toMatchObject({
    base_url: ['https://other.example.com', '--base-url'],
    token: ['…5678', 'SERVICE_TOKEN'],
    colour: ['off', '--no-color'],
    pager: ['off', '--no-pager'],
    ca_file: ['own.pem', '--ca-file'],
  });
  const everything = await home.cli(['config', 'sources', '--profile', 'staging'], {
    env: { ...env, SERVICE_TOKEN: variable },
  });
  expect(everything.stdout).toContain('token\t…1234\tprofiles/staging.toml');
  for (const secret of [token, variable, 'kim', ':secret']) expect(everything.stdout).not.toContain(secret);
});

test('one damaged profile hides no other, and a damaged choice of profile is mended by a new one', async () => {
  await using home = await startHome();
  await mkdir(join(home.config, 'profiles'), { recursive: true, mode: 0o700 });
  await writeFile(profileFile(home, 'broken'), 'token = "', { mode: 0o600 });
  await writeFile(profileFile(home, 'staging'), 'token = "svc_org_x"\n', { mode: 0o600 });
  await writeFile(join(home.config, 'context.toml'), 'profile = "', { mode: 0o600 });
  const lost = await home.cli(['context', 'list']);
  expect(lost.code).toBe(1);
  expect(lost.stderr).toContain('Choose again: cli context use default');
  expect((await home.cli(['context', 'use', 'staging'])).code).toBe(0);
  const listed = await home.cli(['context', 'list', '--fields', 'name,current,signed_in']);
  expect(listed.stdout).toBe('default\tfalse\tfalse\nbroken\tfalse\tfalse\nstaging\ttrue\ttrue\n');
  expect(listed.stderr).toContain('broken.toml is not valid TOML');
});
