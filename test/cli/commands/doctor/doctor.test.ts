import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { listen, signedInHome, startHome } from '../../../support/cli.ts';
import { testWith } from '../../../support/tools.ts';
import { startWorld } from '../../../support/world.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

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

test('doctor says of files that it cannot use, or that are not yours, what they are', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const filesLine = async () => /^(.*)\tfiles\t(.*)$/m.exec((await home.cli(['doctor'])).stdout)?.slice(1);
  expect(await filesLine()).toEqual(['ok', `${home.config} does not exist yet; cli login creates it`]);
  await mkdir(home.config, { recursive: true, mode: 0o700 });
  expect(await filesLine()).toEqual(['ok', `${home.config} is accessible to you only`]);
  const identity = join(home.config, 'agent.toml');
  await mkdir(identity, { mode: 0o700 });
  expect(await filesLine()).toEqual(['fail', expect.stringMatching(/^cannot read .*agent\.toml.*cli agent forget$/)]);
  await rm(identity, { recursive: true });
  await writeFile(join(home.config, 'credentials.toml'), 'token = "', { mode: 0o600 });
  expect(await filesLine()).toEqual(['fail', expect.stringContaining('credentials.toml is not valid TOML')]);
  await rm(home.config, { recursive: true });
  await writeFile(home.config, '', { mode: 0o600 });
  expect(await filesLine()).toEqual(['fail', `${home.config} is not a folder. Move it elsewhere`]);
});

test('doctor fails over a file or a folder that it may not read', async () => {
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x' });
  await mkdir(home.config, { recursive: true, mode: 0o700 });
  const file = join(home.config, 'agent.toml');
  // Root may read everything.
  const uid = isRoot ? nobody : undefined;
  await writeFile(file, '', { mode: 0o000 });
  if (uid !== undefined)
    for (const each of [home.path, dirname(home.config), home.config, file]) await chown(each, uid, uid);
  const doctor = () => home.cli(['doctor'], { uid });
  expect((await doctor()).stdout).toMatch(/^fail\tfiles\tcannot read .*agent\.toml: EACCES/m);
  await chmod(home.config, 0o000);
  expect((await doctor()).stdout).toMatch(/^fail\tfiles\tEACCES.*readable for you$/m);
  await chmod(home.config, 0o700);
  await rm(file);
  await chmod(home.config, 0o500);
  expect((await doctor()).stdout).toMatch(/^warn\tfiles\t.*is not writable/m);
  await chmod(home.config, 0o700);
});

/** Only root can give a file away. */
testWith('root')('doctor warns of a file of another user', async () => {
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x' });
  await mkdir(home.config, { recursive: true, mode: 0o700 });
  const file = join(home.config, 'credentials.toml');
  await writeFile(file, 'token = "svc_org_x"\n', { mode: 0o600 });
  await chown(file, 65_534, 65_534);
  expect((await home.cli(['doctor'])).stdout).toMatch(/^warn\tfiles\t.*credentials\.toml belongs to another user/m);
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
