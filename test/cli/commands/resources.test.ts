import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { put, sha256 } from '../../support/artifacts.ts';
import { signedInHome, type Home } from '../../support/cli.ts';
import { openStream } from '../../support/dial-back.ts';
import { factories } from '../../support/factories.ts';
import { linkedAgent, UpgradeRefused } from '../../support/fake-agent.ts';
import { operations } from '../../support/operations.ts';
import { robotsOf } from '../../support/robots.ts';
import { testWith } from '../../support/tools.ts';
import { startIsolatedWorld, startWorld, type World } from '../../support/world.ts';

/** The one line of a command that must succeed. */
async function line(home: Home, ...args: string[]): Promise<string> {
  const result = await home.cli(args);
  expect(result, args.join(' ')).toMatchObject({ code: 0, stderr: '' });
  return result.stdout.trimEnd();
}

const forADay = ['--expires-in-hours', '24'];

async function enroll(world: World, key: string, name: string): Promise<string> {
  const { data } = await world.apiAs(key).POST('/agent/enroll', { body: { name } });
  return data?.data.robot_id ?? '';
}

test('an operator goes from nothing to a robot on the list by names alone', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await line(home, 'sites', 'create', 'Osaka');
  await line(home, 'sites', 'create', 'Kyoto');
  await line(home, 'fleets', 'create', 'pickers', '--site', 'Osaka');
  await line(home, 'fleets', 'create', 'packers', '--site', 'Kyoto');
  const key = await line(home, 'keys', 'new', '--site', 'Osaka', '--fleet', 'pickers', '--max-uses', '2', ...forADay);
  expect(key).toMatch(/^svc_enroll_[0-9a-f]{64}$/);
  const id = await enroll(world, key, 'amr-007');
  expect(await line(home, 'robots', 'list', '--fleet', 'pickers', '--fields', 'id,name,online')).toBe(
    `${id}\tamr-007\tfalse`,
  );
  expect(await line(home, 'robots', 'list', '--fleet', 'packers')).toBe('');
  await line(home, 'robots', 'rename', 'amr-007', 'amr-008');
  await line(home, 'robots', 'move', 'amr-008', 'packers');
  expect(await line(home, 'robots', 'list', '--site', 'Kyoto', '-o', 'name')).toBe('amr-008');
  await line(home, 'robots', 'label', 'amr-008', 'line=2', 'shift=night');
  expect(await line(home, 'robots', 'label', id, 'shift-', 'zone=', '--fields', 'labels')).toBe(
    '{"line":"2","zone":""}',
  );
  expect(await line(home, 'keys', 'list', '--fields', 'max_uses,uses')).toBe('2\t1');
  const keyId = await line(home, 'keys', 'list', '--fields', 'id');
  expect(await line(home, 'keys', 'revoke', keyId, '--fields', 'revoked_at')).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  await line(home, 'robots', 'remove', 'amr-008');
  expect(await line(home, 'robots', 'list')).toBe('');
});

test('of a robot the timeline, a new token and a ticket for a stream are asked by name', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { robot_id: id, robot_token: token } = await factories(world).robot('amr-007');
  await line(home, 'robots', 'rename', 'amr-007', 'amr-008');
  expect(await line(home, 'robots', 'timeline', 'amr-008', '--fields', 'seq,kind')).toMatch(/^1\tenrolled\n2\t/);
  const rotated = await home.cli(['robots', 'rotate-token', 'amr-008', '--json']);
  expect(rotated.code).toBe(0);
  using link = await linkedAgent(world.url, token);
  await link.next('rotate');
  const ticket = await line(home, 'tokens', 'ticket', 'amr-008', 'logs');
  const address = `${world.url}/api/robots/${id}/logs/ws?token=${ticket}`;
  using viewer = await openStream(address);
  await expect(openStream(address)).rejects.toThrow(UpgradeRefused);
  expect(viewer.socket.readyState).toBe(viewer.socket.OPEN);
});

testWith('script')('a ticket is for the stream that was named, and people see the address of that stream', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { robot_id: id } = await factories(world).robot('amr-007');
  const robot = `${world.url.replace('http', 'ws')}/api/robots/${id}`;
  for (const [stream, address] of [
    ['shell', 'shell/ws?token=<ticket>'],
    ['logs', 'logs/ws?token=<ticket>'],
    ['camera', 'camera/ws?token=<ticket>'],
    ['topic', 'ros/topics/echo?topic=<topic>&token=<ticket>'],
  ] as const) {
    expect(await line(home, 'tokens', 'ticket', 'amr-007', stream, '--fields', 'kind')).toBe(stream);
    const { stdout } = await home.cli(['tokens', 'ticket', 'amr-007', stream], { columns: 80 });
    expect(stdout).toContain(`It opens once, within 30 s: ${robot}/${address}\r\n`);
  }
});

test('the org shows who it is and whether it records shells', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { data } = (await world.api.GET('/api/org')).data ?? {};
  expect(await line(home, 'org', 'show', '--fields', 'id,name,status,record_shells')).toBe(
    `${data?.id}\t${data?.name}\tapproved\tfalse`,
  );
});

test('a fleet name of several sites is refused with their names, and accepted with its site', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await line(home, 'sites', 'create', 'Osaka', '--fields', 'id');
  await line(home, 'sites', 'create', 'Kyoto', '--fields', 'id');
  const id = await line(home, 'fleets', 'create', 'pickers', '--site', 'osaka', '--fields', 'id');
  expect(await line(home, 'fleets', 'rename', 'Pickers', 'pick/ers', '--fields', 'id')).toBe(id);
  await line(home, 'fleets', 'rename', 'pick/ers', 'pickers', '--fields', 'id');
  await line(home, 'fleets', 'create', 'pickers', '--site', 'Kyoto', '--fields', 'id');
  const twice = await home.cli(['fleets', 'delete', 'pickers']);
  expect(twice.code).toBe(2);
  expect(twice.stderr).toContain('2 fleets are named "pickers": Osaka/pickers, Kyoto/pickers');
  expect(await line(home, 'fleets', 'delete', 'osaka/pickers', '--fields', 'id')).toBe(id);
  const refused = await home.cli(['sites', 'delete', 'Kyoto']);
  expect(refused.code).toBe(6);
  expect(refused.stderr).toContain('site "Kyoto" has 1 fleet; delete them first');
  expect(await line(home, 'sites', 'rename', 'Osaka', 'Osaka North', '--fields', 'name')).toBe('Osaka North');
  expect(await line(home, 'sites', 'delete', 'Osaka North', '--fields', 'name')).toBe('Osaka North');
});

test('a name that nobody has is refused with the nearest one', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await line(home, 'sites', 'create', 'Osaka', '--fields', 'id');
  const none = await home.cli(['fleets', 'create', 'pickers', '--site', 'Oska', '--json']);
  expect(none.code).toBe(5);
  expect(JSON.parse(none.stdout)).toEqual({ error: { code: 'not_found', message: 'site "Oska" not found' } });
  expect(none.stderr).toContain('Did you mean Osaka? List sites with: cli sites list');
  expect(await line(home, 'fleets', 'create', 'pickers', '--site', 'Osaka', '--fields', 'name')).toBe('pickers');
  expect(await world.count('fleets')).toBe(1);
});

test('what is not found is named, with near names and the command that lists the others', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { robot_id: robotId } = await robotsOf(world).enroll('amr-007');
  const fleetId = await line(home, 'fleets', 'list', '--fields', 'id');
  const { id: releaseId } = await factories(world).release({ tag: 'nav-1.8.2' });
  const deploymentId = await line(home, 'deploy', 'nav-1.8.2', '--robot', 'amr-007', '--fields', 'id');
  // One digit of an ID is another one, as in a text that was typed from a screen.
  const other = (id: string) => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');
  const nowhere = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11';
  const cases: [line: string[], said: string, next: string][] = [
    [['robots', 'show', 'amr-9'], 'robot "amr-9"', 'Did you mean amr-007? List robots with: cli robots list'],
    [
      ['robots', 'show', other(robotId)],
      `robot "${other(robotId)}"`,
      `Did you mean ${robotId}? List robots with: cli robots list`,
    ],
    [['robots', 'timeline', nowhere], `robot "${nowhere}"`, 'List robots with: cli robots list'],
    [['deploy', 'nav-1.8.2', '--robot', nowhere], `robot "${nowhere}"`, 'List robots with: cli robots list'],
    [
      ['deploy', other(releaseId), '--robot', 'amr-007'],
      `release "${other(releaseId)}"`,
      `Did you mean ${releaseId}? List releases with: cli releases list`,
    ],
    [
      ['robots', 'move', 'amr-007', other(fleetId)],
      `fleet "${other(fleetId)}"`,
      `Did you mean ${fleetId}? List fleets with: cli fleets list`,
    ],
    [
      ['deployments', 'show', other(deploymentId)],
      `deployment "${other(deploymentId)}"`,
      `Did you mean ${deploymentId}? List deployments with: cli deployments list`,
    ],
    [['deployments', 'cancel', 'nav-1.8.2'], 'deployment "nav-1.8.2"', 'List deployments with: cli deployments list'],
    [
      ['configs', 'deployment', nowhere],
      `config deployment "${nowhere}"`,
      'List config deployments with: cli configs deployments',
    ],
    [['keys', 'revoke', nowhere], `enrollment key "${nowhere}"`, 'List enrollment keys with: cli keys list'],
    [['tokens', 'revoke', nowhere], `token "${nowhere}"`, 'List tokens with: cli tokens list'],
    [['users', 'remove', 'kin@example.com'], 'user "kin@example.com"', 'List users with: cli users list'],
    [['sessions', 'download', nowhere], `recording "${nowhere}"`, 'List shell sessions with: cli sessions list'],
    [['admin', 'orgs', 'suspend', nowhere], `org "${nowhere}"`, 'List orgs with: cli admin orgs list'],
    [['sites', 'list', '--org', nowhere], 'org', 'List your orgs with: cli whoami'],
  ];
  for (const [words, said, next] of cases) {
    const { code, stderr } = await home.cli(words);
    expect(stderr, words.join(' ')).toContain(`Error: ${said} not found\n  ${next}\n`);
    expect(code, words.join(' ')).toBe(5);
  }
  const { stdout } = await home.cli(['robots', 'show', nowhere, '--json']);
  expect(JSON.parse(stdout)).toEqual({ error: { code: 'not_found', message: 'robot not found' } });
});

test('a name is found as people see it, in whichever form its accents were typed', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const [composed, apart] = ['N\u00eemes', 'Ni\u0302mes'];
  const id = await line(home, 'sites', 'create', apart, '--fields', 'id');
  expect(await line(home, 'fleets', 'create', 'pickers', '--site', composed, '--fields', 'site_id')).toBe(id);
  await line(home, 'fleets', 'create', composed, '--site', apart);
  expect(await line(home, 'keys', 'new', '--site', apart, '--fleet', apart, '--fields', 'site_id', ...forADay)).toBe(
    id,
  );
});

test('users and their tokens are made, changed and taken away by address', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  expect(await line(home, 'users', 'create', 'Kim@example.com', '--name', 'Kim', '--fields', 'email,role')).toBe(
    'kim@example.com\tviewer',
  );
  const token = await line(
    home,
    'tokens',
    'new',
    '--user',
    'KIM@example.com',
    '--label',
    'laptop',
    '--expires-in-hours',
    '1',
  );
  const asKim = { env: { SERVICE_TOKEN: token } };
  expect((await home.cli(['whoami', '--fields', 'user_email,role'], asKim)).stdout).toBe('kim@example.com\tviewer\n');
  expect((await home.cli(['sites', 'create', 'Osaka'], asKim)).code).toBe(1);
  await line(home, 'users', 'role', 'kim@example.com', 'operator');
  expect((await home.cli(['sites', 'create', 'Osaka'], asKim)).code).toBe(0);
  const [id, kind] = (await line(home, 'tokens', 'list', '--user', 'kim@example.com', '--fields', 'id,kind')).split(
    '\t',
  );
  expect(kind).toBe('user');
  await line(home, 'tokens', 'revoke', id ?? '');
  expect((await home.cli(['whoami'], asKim)).code).toBe(4);
  await line(home, 'users', 'remove', 'kim@example.com');
  expect(await line(home, 'users', 'list')).toBe('');
  expect(await line(home, 'audit', 'list', '--operation', 'deleteUser', '--fields', 'actor_kind,operation')).toBe(
    'org\tdeleteUser',
  );
  expect((await line(home, 'audit', 'list', '--limit', '2', '-o', 'name')).split('\n')).toHaveLength(2);
});

test('the service is administered by its own token', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const id = await line(home, 'admin', 'orgs', 'create', 'Acme', '--fields', 'id');
  expect(await line(home, 'admin', 'orgs', 'list', '--status', 'pending', '-o', 'name')).toBe('Acme');
  await world.db.raw(
    `with asker as (insert into people (id, issuer, subject, email) values (gen_random_uuid(), 'x', 'x', 'ann@example.com') returning id)
     update orgs set requested_by = asker.id from asker where orgs.id = ?`,
    [id],
  );
  const orgs = (await home.cli(['admin', 'orgs', 'list'], { columns: 120, env: { NO_COLOR: '1' } })).stdout;
  expect(orgs).toMatch(/NAME +STATUS +REQUESTED BY/);
  expect(orgs).toMatch(/Acme +pending +ann@example\.com/);
  expect(await line(home, 'admin', 'orgs', 'list', '--fields', 'name,requested_by')).toBe(
    'local\t\nAcme\tann@example.com',
  );
  const token = await line(home, 'admin', 'orgs', 'approve', id);
  expect(token).toMatch(/^svc_org_[0-9a-f]{64}$/);
  const asAcme = { env: { SERVICE_TOKEN: token } };
  expect((await home.cli(['whoami', '--fields', 'org_name'], asAcme)).stdout).toBe('Acme\n');
  expect(await line(home, 'admin', 'orgs', 'suspend', id, '--fields', 'status')).toBe('suspended');
  expect((await home.cli(['whoami'], asAcme)).code).not.toBe(0);
  expect(await line(home, 'admin', 'orgs', 'resume', id, '--fields', 'status')).toBe('approved');
  const another = await line(home, 'admin', 'orgs', 'token', id, '--label', 'replaces the lost one');
  const asAcmeAgain = { env: { SERVICE_TOKEN: another } };
  expect((await home.cli(['tokens', 'list', '--kind', 'org', '--fields', 'label'], asAcmeAgain)).stdout).toBe(
    'bootstrap\nreplaces the lost one\n',
  );
  expect(await line(home, 'admin', 'stats', '--fields', 'orgs_approved')).toBe('2');
});

test('a value that is shown once stands alone in a pipe and whole in --json', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await line(home, 'sites', 'create', 'Osaka');
  await line(home, 'fleets', 'create', 'pickers', '--site', 'Osaka');
  const { data } = JSON.parse(
    await line(home, 'keys', 'new', '--site', 'Osaka', '--fleet', 'pickers', '--json', ...forADay),
  ) as {
    data: { value: string; fleet_id: string };
  };
  expect(data.value).toMatch(/^svc_enroll_/);
  expect(data.fleet_id).toBe(await line(home, 'fleets', 'list', '--fields', 'id'));
});

testWith('script')(
  'on a terminal robots stand with the names of their fleet and site, and a secret with its warning',
  async () => {
    await using world = await startWorld();
    await using home = await signedInHome(world);
    await line(home, 'sites', 'create', 'Osaka');
    await line(home, 'fleets', 'create', 'pickers', '--site', 'Osaka');
    const made = await home.cli(['keys', 'new', '--site', 'Osaka', '--fleet', 'pickers', '--no-color'], {
      columns: 100,
    });
    const [key = '', warning, next, expiry] = made.stdout.split('\r\n');
    expect(warning).toBe('This value is shown only once. Keep it now.');
    expect(next).toBe(`On the robot: cli agent run --backend-url ${world.url} --enrollment-key <key>`);
    expect(expiry).toMatch(
      /^Expires \d{4}-\d\d-\d\d \d\d:\d\d UTC, in 30 days; --expires-in-hours 0 for a key that never expires$/,
    );
    await enroll(world, key, 'amr-007');
    const { stdout } = await home.cli(['robots', 'list', '--no-color'], { columns: 100 });
    expect(stdout.split('\r\n').slice(0, 3)).toEqual([
      'NAME     STATUS      HEALTH   FLEET    SITE   RELEASE  LABELS  ENROLLED  SEEN',
      expect.stringMatching(/^amr-007 {2}never seen {2}unknown {2}pickers {2}Osaka {19}\d+s ago$/),
      '1 robot · 0 online',
    ]);
  },
);

testWith('script')('on a terminal tokens stand with their owner, and changes with who made them', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await line(home, 'sites', 'create', 'Osaka');
  await line(home, 'fleets', 'create', 'pickers', '--site', 'Osaka');
  const key = await line(home, 'keys', 'new', '--site', 'Osaka', '--fleet', 'pickers', '--label', 'dock 3', ...forADay);
  const robot = await enroll(world, key, 'amr-007');
  await line(home, 'users', 'create', 'kim@example.com', '--role', 'admin');
  const token = await line(home, 'tokens', 'new', '--user', 'kim@example.com', ...forADay);
  await line(home, 'admin', 'orgs', 'create', 'Acme');
  expect((await home.cli(['sites', 'create', 'Kyoto'], { env: { SERVICE_TOKEN: token } })).code).toBe(0);
  const shown = async (...args: string[]) => (await home.cli([...args, '--no-color'], { columns: 160 })).stdout;
  const tokens = await shown('tokens', 'list');
  expect(tokens).toMatch(/^ID +OWNER +LABEL +LAST FOUR +EXPIRES\r\n/);
  for (const row of [/ {2}the org /, / {2}amr-007 /, / {2}kim@example\.com /]) expect(tokens).toMatch(row);
  const audit = await shown('audit', 'list');
  expect(audit).toMatch(/^SEQ +AT +BY +OPERATION /);
  expect(audit).toMatch(/ org local +createFleet +fleet pickers\r/);
  expect(audit).toMatch(/ key dock 3 +enrollAgent +robot amr-007\r/);
  // Only the wide table has the id of the object, which is never cut.
  const wide = (await home.cli(['audit', 'list', '-o', 'wide', '--no-color', '--no-pager'], { columns: 60 })).stdout;
  expect(wide).toContain(robot);
  expect(audit).toMatch(/ kim@example\.com +createSite /);
  const byKim = await shown('audit', 'list', '--actor', 'kim@example.com');
  expect(byKim.split('\r\n').filter((row) => /^\d/.test(row))).toEqual([expect.stringContaining('createSite')]);
  const narrow = (await home.cli(['tokens', 'list', '--no-color'], { columns: 80 })).stdout.split('\r\n');
  expect(narrow.filter((row) => row.length > 80)).toEqual([]);
  // Scripts get ids, in the columns that they had.
  const robotToken = (await line(home, 'tokens', 'list', '--robot', 'amr-007')).split('\t');
  expect(robotToken.slice(1, 4)).toEqual(['robot', '', robot]);
  const [first = ''] = (await line(home, 'audit', 'list', '--limit', '1')).split('\n');
  expect(first.split('\t').slice(2, 4)).toEqual(['user', expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});

test('api calls any route with fields, a body or stdin, and gives the body of an error too', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const fromStdin = await home.cli(['api', 'post', '/api/sites', '--input', '-'], { input: '{"name":"Osaka"}' });
  expect(JSON.parse(fromStdin.stdout)).toMatchObject({ data: { name: 'Osaka' } });
  await line(home, 'api', 'POST', '/api/sites', '-f', 'name=Kyoto');
  const listed = await line(home, 'api', 'GET', '/api/sites?limit=1', '-f', 'name=Kyoto');
  expect(JSON.parse(listed)).toMatchObject({ items: [{ name: 'Kyoto' }] });
  expect(JSON.parse(await line(home, 'api', 'GET', '/api/admin/stats'))).toMatchObject({ data: { sites: 2 } });
  for (const flags of [[], ['--json']]) {
    const wrong = await home.cli(['api', 'POST', '/api/sites', '-f', 'name:=5', ...flags]);
    expect(wrong.code).toBe(1);
    expect(JSON.parse(wrong.stdout)).toMatchObject({ error: { code: 'bad_request' } });
  }
  expect((await home.cli(['api', 'GET', 'sites'])).code).toBe(2);
});

test('api sends a key where the route requires one', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const keyed = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'Idempotency-Key'));
  expect(keyed.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'POST']);
  for (const { path, body } of keyed) {
    const [example] = Object.values(body?.examples ?? {});
    const words = ['api', 'POST', path.replace('{id}', randomUUID()), ...(body ? ['--input', '-'] : [])];
    const { stdout } = await home.cli(words, { input: body ? JSON.stringify(body.example ?? example?.value) : '' });
    expect([path, stdout]).toEqual([path, expect.stringContaining('"code":"not_found"')]);
  }
});

test('api writes a file as it came, and says what the service responded to HEAD', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const bytes = Buffer.from('no line feed at its end');
  await factories(world).release({ artifact_sha256: sha256(bytes), artifact_size: bytes.length });
  const path = `/api/artifacts/${sha256(bytes)}`;
  expect((await put(world, path, bytes)).status).toBe(200);
  expect(await home.cli(['api', 'GET', path])).toEqual({ code: 0, stdout: bytes.toString(), stderr: '' });
  expect(await home.cli(['api', 'HEAD', path])).toEqual({ code: 0, stdout: '', stderr: '' });
  const missing = `/api/artifacts/${'0'.repeat(64)}`;
  expect(await home.cli(['api', 'HEAD', missing])).toEqual({
    code: 5,
    stdout: '',
    stderr: expect.stringContaining(`Error: the service responded with 404 to HEAD ${missing}\n`) as string,
  });
});

test('api --dry-run sends no request, also none for a plan', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { code, stdout } = await home.cli(['api', 'POST', '/api/deployment-plans', '-f', 'kind=release', '--dry-run']);
  expect([code, stdout]).toEqual([0, 'POST /api/deployment-plans {"kind":"release"}\n']);
});
