import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHome } from '../../support/cli.ts';
import { factories } from '../../support/factories.ts';
import { logRobot } from '../../support/log-robot.ts';
import { personWith } from '../../support/person.ts';
import { robotsOf } from '../../support/robots.ts';
import { startWorld } from '../../support/world.ts';

test('--org names one of the orgs of a token, by its id or its name', async () => {
  await using world = await startWorld();
  const other = await factories(world).org('Acme');
  const twins = [await factories(world).org('Twin'), await factories(world).org('Twin')] as const;
  const orgs = [{ id: world.orgId, token: world.orgToken }, other, ...twins];
  const { value } = await personWith(
    world,
    orgs.map(({ id, token }) => ({ orgId: id, token, role: 'operator' })),
  );
  await using home = await startHome({ SERVICE_TOKEN: value, TEST_BASE_URL: world.url });
  const cli = (...args: string[]) => home.cli([...args, '--base-url', world.url]);

  const unclear = await cli('sites', 'create', 'Osaka');
  expect(unclear).toMatchObject({ code: 1, stdout: '' });
  expect(unclear.stderr).toContain('send the ID of one that GET /api/whoami lists');
  expect(unclear.stderr).toContain('Select one with --org <org>. List your orgs with: cli whoami');
  expect((await cli('sites', 'create', 'Kyoto', '--org', 'Acme')).code).toBe(0);
  expect((await cli('sites', 'list', '--org', other.id, '-o', 'name')).stdout).toBe('Kyoto\n');
  expect((await cli('api', 'GET', '/api/sites', '--org', other.id)).stdout).toContain('"Kyoto"');
  expect((await cli('sites', 'list', '--org', world.orgId, '-o', 'name')).stdout).toBe('');
  expect((await cli('whoami', '--org', 'Acme', '--fields', 'org_name')).stdout).toBe('Acme\n');

  const twice = await cli('sites', 'list', '--org', 'Twin');
  expect(twice).toMatchObject({ code: 2 });
  for (const { id } of twins) expect(twice.stderr).toContain(id);
  const near = await cli('sites', 'list', '--org', 'Acne');
  expect(near).toMatchObject({ code: 5 });
  expect(near.stderr).toContain('Did you mean Acme?');

  const shown = await home.cli(['whoami', '--base-url', world.url], { columns: 120 });
  expect(shown.stdout).toContain('The token is valid in 4 orgs. Select one with --org:');
  expect(shown.stdout).toContain(`${other.id}  Acme (operator)`);
});

test('login with a token and --org keeps the token only if it is good in that org, and tells the role there', async () => {
  await using world = await startWorld();
  const [other, foreign] = [await factories(world).org('Acme'), await factories(world).org('foreign')];
  const { value } = await personWith(world, [
    { orgId: world.orgId, token: world.orgToken, role: 'viewer' },
    { orgId: other.id, token: other.token, role: 'operator' },
  ]);
  await using home = await startHome();
  const login = (token: string, org: string) =>
    home.cli(['login', '--token', '-', '--base-url', world.url, '--org', org], { input: token });
  for (const [token, org] of [
    [value, 'foreign'],
    [value, foreign.id],
    [world.orgToken, 'Acme'],
    [world.orgToken, other.id],
  ] as const) {
    const refused = await login(token, org);
    expect(refused.code, org).toBe(5);
    expect(refused.stderr).toContain('Nothing was saved.');
  }
  await expect(readFile(join(home.config, 'credentials.toml'))).rejects.toThrow('ENOENT');
  for (const org of ['Acme', other.id]) {
    const { code, stderr } = await login(value, org);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('as kim@example.com (operator) of Acme.');
    expect(stderr).toContain('The token is valid in 2 orgs. Select one in each command with --org.');
  }
  expect((await login(world.orgToken, 'local')).stderr).toContain('as the org local (admin).');
});

test('logs are followed in the org of --org, over its own connection', async () => {
  await using world = await startWorld();
  const other = await factories(world).org('Acme');
  const { value } = await personWith(world, [
    { orgId: world.orgId, token: world.orgToken, role: 'viewer' },
    { orgId: other.id, token: other.token, role: 'viewer' },
  ]);
  const { robot_id: id, robot_token: robotToken } = await robotsOf(world).enroll('amr-1');
  using robot = await logRobot(world.url, robotToken);
  await robot.say('one');
  await using home = await startHome({ SERVICE_TOKEN: value });
  const following = home.start(['robots', 'logs', id, '--follow', '--org', 'local', '--base-url', world.url]);
  await following.sees('one');
  await robot.say('two');
  await following.sees('two');
  following.kill('SIGINT');
  expect((await following.ended).code).toBe(130);
});
