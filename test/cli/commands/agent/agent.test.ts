import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { bin, listen, startHome, type CliResult } from '../../../support/cli.ts';
import { runBriefly } from '../../../support/agent-process.ts';
import { startWorld, type World } from '../../../support/world.ts';

async function newKey(world: World, maxUses?: number): Promise<string> {
  const site = await world.api.POST('/api/sites', { body: { name: 'Osaka' } });
  const siteId = site.data?.data.id ?? '';
  const fleet = await world.api.POST('/api/fleets', { body: { name: 'pickers', site_id: siteId } });
  const body = {
    site_id: siteId,
    fleet_id: fleet.data?.data.id ?? '',
    ...(maxUses !== undefined && { max_uses: maxUses }),
  };
  const key = await world.api.POST('/api/enrollment-keys', { body });
  return key.data?.data.value ?? '';
}

test('the first run enrolls and keeps the identity; the next one sends nothing', async () => {
  await using world = await startWorld();
  await using home = await startHome();
  const key = await newKey(world);
  const first = await runBriefly(home, ['--name', 'amr-007', '--backend-url', world.url], {
    env: { SERVICE_ENROLLMENT_KEY: key },
  });
  expect(first.code).toBe(0);
  const file = join(home.config, 'agent.toml');
  const identity = parse(await readFile(file, 'utf8'));
  expect(Object.keys(identity)).toEqual([
    'backend_url',
    'robot_id',
    'robot_token',
    'robot_name',
    'org_id',
    'site_id',
    'fleet_id',
  ]);
  expect(identity).toMatchObject({ backend_url: world.url, robot_name: 'amr-007', org_id: world.orgId });
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
  expect(await readdir(home.config)).toEqual(['agent.toml']);
  expect(first.stdout).toBe(`amr-007\t${identity['robot_id'] as string}\n`);
  expect(first.stderr).toContain('Enrolled at');
  const again = await runBriefly(home, ['--json']);
  expect(again.code).toBe(0);
  expect(again.stderr).not.toContain('Enrolled at');
  expect(JSON.parse(again.stdout.split('\n')[0] ?? '')).toMatchObject({ data: { robot_id: identity['robot_id'] } });
  expect(again.stdout).not.toContain('svc_robot_');
  expect(await world.count('robots')).toBe(1);
});

test('a run that dies before it keeps the reply uses the key no second time', async () => {
  await using world = await startWorld();
  await using home = await startHome();
  const key = await newKey(world, 1);
  let answer = (response: ServerResponse, status: number, body: string): void =>
    void response.writeHead(status).end(body);
  const passOn = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== '/agent/enroll') return void response.writeHead(404).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = { Authorization: request.headers.authorization ?? '', 'Content-Type': 'application/json' };
    const reply = await fetch(`${world.url}/agent/enroll`, { method: 'POST', headers, body: Buffer.concat(chunks) });
    answer(response, reply.status, await reply.text());
  };
  await using relay = await listen((request, response) => void passOn(request, response));
  const kept = answer;
  // The service has enrolled the robot; the client dies before it hears of it.
  answer = () => void child.kill('SIGKILL');
  const child = spawn(process.execPath, [bin, 'agent', 'run', '--backend-url', relay.url], {
    env: { HOME: home.path, SERVICE_ENROLLMENT_KEY: key },
  });
  await new Promise((resolve) => child.on('close', resolve));
  await expect(stat(join(home.config, 'agent.toml'))).rejects.toThrow('ENOENT');
  answer = kept;
  const retried = await runBriefly(home, ['--backend-url', relay.url], {
    env: { SERVICE_ENROLLMENT_KEY: key },
  });
  expect(retried.code).toBe(0);
  expect(await world.count('robots')).toBe(1);
  expect(await readdir(home.config)).toEqual(['agent.toml']);
});

test('--fresh replaces the identity only once the new one is there', async () => {
  await using world = await startWorld();
  await using home = await startHome({ TEST_BASE_URL: world.url });
  const key = await newKey(world, 2);
  await runBriefly(home, ['--enrollment-key', key]);
  const file = join(home.config, 'agent.toml');
  const before = await readFile(file, 'utf8');
  const refused = await home.cli(['agent', 'run', '--fresh', '--enrollment-key', 'svc_enroll_unknown']);
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain('Enrollment key rejected');
  expect(await readFile(file, 'utf8')).toBe(before);
  expect((await runBriefly(home, ['--fresh', '--enrollment-key', key])).code).toBe(0);
  expect(parse(await readFile(file, 'utf8'))['robot_id']).not.toBe(parse(before)['robot_id']);
  expect(await world.count('robots')).toBe(2);
});

test('without a key it says what to do', async () => {
  await using home = await startHome();
  const without = await home.cli(['agent', 'run']);
  expect(without.code).toBe(4);
  expect(without.stderr).toContain('this machine is not a robot yet');
  expect(without.stderr).toContain('set SERVICE_ENROLLMENT_KEY');
  expect((await home.cli(['agent', 'run', '--fresh'])).stderr).toContain(
    '--fresh enrolls again, and no enrollment key',
  );
});

test('a damaged agent.toml ends the run with one error and both ways on; --fresh takes its place', async () => {
  await using world = await startWorld();
  await using home = await startHome({ TEST_BASE_URL: world.url });
  const key = await newKey(world, 1);
  await mkdir(home.config, { recursive: true, mode: 0o700 });
  const file = join(home.config, 'agent.toml');
  for (const [damaged, fault] of [
    ['robot_id = "x"\n', 'has no backend_url'],
    ['robot_id = "x\n', 'is not valid TOML'],
  ] as const) {
    await writeFile(file, damaged, { mode: 0o600 });
    const { code, stderr } = await home.cli(['agent', 'run', '--enrollment-key', key]);
    expect(code).toBe(1);
    expect(stderr).toContain(`Error: ${file} ${fault}`);
    expect(stderr).toMatch(/cli agent run --fresh .*cli agent forget/);
    expect(await readFile(file, 'utf8')).toBe(damaged);
  }
  const refused = await home.cli(['agent', 'run', '--fresh', '--enrollment-key', 'svc_enroll_unknown']);
  expect(refused.code).toBe(4);
  expect(await readFile(file, 'utf8')).toBe('robot_id = "x\n');
  expect((await runBriefly(home, ['--fresh', '--enrollment-key', key])).code).toBe(0);
  expect(parse(await readFile(file, 'utf8'))).toMatchObject({ backend_url: world.url, org_id: world.orgId });
  expect(await world.count('robots')).toBe(1);
});

test('--fresh uses no key where the new identity could not be kept', async () => {
  await using server = await listen((_, response) => response.end('{}'));
  await using home = await startHome({ SERVICE_ENROLLMENT_KEY: 'svc_enroll_x', TEST_BASE_URL: server.url });
  // A folder in the place of the file can be neither read nor replaced, not even by root.
  await mkdir(join(home.config, 'agent.toml'), { recursive: true, mode: 0o700 });
  const inTheWay = await home.cli(['agent', 'run', '--fresh']);
  expect(inTheWay.code).toBe(1);
  expect(inTheWay.stderr).toMatch(/Error: cannot read .*agent\.toml.*\n {2}Nothing was sent\..*cli agent forget/);
  await rm(home.config, { recursive: true });
  await writeFile(home.config, '');
  const noFolder = await home.cli(['agent', 'run', '--fresh']);
  expect(noFolder.code).toBe(1);
  expect(noFolder.stderr).toContain('Use a folder that you can write to');
  expect(server.requests).toEqual([]);
});

test('of three runs at once one enrolls, and the others name its process', async () => {
  await using world = await startWorld();
  const key = await newKey(world);
  let letGo: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (letGo = resolve));
  await using relay = await listen((request, response) => {
    if (request.url !== '/agent/enroll') return void response.writeHead(404).end();
    void released.then(async () => {
      const headers = { Authorization: request.headers.authorization ?? '', 'Content-Type': 'application/json' };
      const reply = await fetch(`${world.url}/agent/enroll`, { method: 'POST', headers, body: '{}' });
      response.writeHead(reply.status).end(await reply.text());
    });
  });
  await using home = await startHome({ SERVICE_ENROLLMENT_KEY: key, TEST_BASE_URL: relay.url });
  const agents = [1, 2, 3].map(() => home.start(['agent', 'run']));
  const runs = agents.map(({ ended }) => ended);
  // The one that holds the lock waits for its reply; the others end by themselves.
  const losers = await firstTwo(runs);
  const holder = (await readFile(join(home.config, 'agent.lock'), 'utf8')).split('\n')[0] ?? '';
  for (const { code, stderr } of losers) {
    expect(code).toBe(6);
    expect(stderr).toContain(`Error: another agent is already running here, as process ${holder}`);
  }
  expect((await home.cli(['agent', 'forget'])).stderr).toContain(`as process ${holder}`);
  letGo();
  await Promise.any(agents.map((agent) => agent.sees('Not connected')));
  for (const agent of agents) agent.kill('SIGTERM');
  expect((await Promise.all(runs)).map(({ code }) => code).sort()).toEqual([0, 6, 6]);
  expect(relay.requests.filter((request) => request.startsWith('POST'))).toEqual(['POST /agent/enroll']);
  expect(await world.count('robots')).toBe(1);
  expect(await readdir(home.config)).toEqual(['agent.toml']);
});

/** Those of three that end first. */
function firstTwo(runs: readonly Promise<CliResult>[]): Promise<CliResult[]> {
  const ended: CliResult[] = [];
  return new Promise((resolve) => {
    for (const run of runs)
      void run.then((result) => {
        if (ended.push(result) === 2) resolve([...ended]);
      });
  });
}

test('forget removes the identity and sends nothing', async () => {
  await using world = await startWorld();
  await using home = await startHome({ TEST_BASE_URL: world.url });
  await runBriefly(home, ['--enrollment-key', await newKey(world)]);
  const result = await home.cli(['agent', 'forget', '--json']);
  expect(result).toMatchObject({ code: 0, stdout: '{"data":{"forgotten":true}}\n' });
  expect(result.stderr).toContain('cli robots remove');
  expect(await readdir(home.config)).toEqual([]);
  expect((await home.cli(['agent', 'forget'])).stderr).toContain('This machine is not a robot');
  expect(await world.count('robots')).toBe(1);
});
