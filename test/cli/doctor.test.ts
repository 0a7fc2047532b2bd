import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen, signedInHome, startHome } from '../support/cli.ts';
import { startWorld } from '../support/world.ts';

interface Checks {
  data: { checks: { name: string; status: string; message: string }[] };
}

const statuses = (stdout: string) =>
  Object.fromEntries((JSON.parse(stdout) as Checks).data.checks.map(({ name, status }) => [name, status]));

test('doctor finds nothing wrong where nothing is', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const result = await home.cli(['doctor', '--json']);
  expect(result).toMatchObject({ code: 0, stderr: '' });
  const names = [
    'files',
    'settings',
    'environment',
    'encryption',
    'dns',
    'connection',
    'clock',
    'version',
    'token',
    'org',
  ];
  expect(statuses(result.stdout)).toEqual(Object.fromEntries(names.map((name) => [name, 'ok'])));
});

test('doctor says of each fault what to do, and ends with 1', async () => {
  await using world = await startWorld();
  await using home = await startHome({ TEST_BASE_URL: world.url });
  await home.cli(['login', '--token', '-'], { input: world.orgToken });
  await chmod(join(home.config, 'credentials.toml'), 0o644);
  const result = await home.cli(['doctor'], {
    env: { SERVICE_TOKEN: 'svc_org_unknown', NODE_EXTRA_CA_CERTS: '/nonexistent.pem' },
  });
  expect(result.code).toBe(1);
  expect(result.stdout).toMatch(/^warn\tfiles\t.*chmod 600/m);
  expect(result.stdout).toMatch(/^fail\tenvironment\t.*NODE_EXTRA_CA_CERTS/m);
  expect(result.stdout).toMatch(/^fail\ttoken\tToken rejected/m);
});

test('doctor sees a wrong clock, another version, and a program that is not the service', async () => {
  await using skewed = await listen((request, response) => {
    response.setHeader('Date', new Date(Date.now() - 3_600_000).toUTCString());
    response.end(request.url === '/openapi.json' ? '{"openapi":"3.1.0","info":{"version":"7.0.0"}}' : '{}');
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x' });
  const { stdout, code } = await home.cli(['doctor', '--json', '--base-url', skewed.url]);
  expect(code).toBe(1);
  expect(statuses(stdout)).toMatchObject({ connection: 'ok', clock: 'fail', version: 'warn', token: 'fail' });
  await using other = await listen((_, response) => response.end('hello'));
  const stranger = await home.cli(['doctor', '--json', '--base-url', other.url]);
  expect(statuses(stranger.stdout)).toMatchObject({ connection: 'fail' });
  expect(statuses(stranger.stdout)).not.toHaveProperty('token');
});
