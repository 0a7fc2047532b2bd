import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { bin, listen, startHome } from '../support/cli.ts';
import { startWorld, type World } from '../support/world.ts';

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
  const first = await home.cli(['agent', 'run', '--name', 'amr-007', '--backend-url', world.url], {
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
  expect(first.stderr).toContain('The live link to the service comes with the next version');
  const again = await home.cli(['agent', 'run', '--json']);
  expect(again.code).toBe(0);
  expect(again.stderr).toContain('nothing was sent');
  expect(JSON.parse(again.stdout)).toMatchObject({ data: { robot_id: identity['robot_id'] } });
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
  const retried = await home.cli(['agent', 'run', '--backend-url', relay.url], {
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
  await home.cli(['agent', 'run', '--enrollment-key', key]);
  const file = join(home.config, 'agent.toml');
  const before = await readFile(file, 'utf8');
  const refused = await home.cli(['agent', 'run', '--fresh', '--enrollment-key', 'svc_enroll_unknown']);
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain('Enrollment key rejected');
  expect(await readFile(file, 'utf8')).toBe(before);
  expect((await home.cli(['agent', 'run', '--fresh', '--enrollment-key', key])).code).toBe(0);
  expect(parse(await readFile(file, 'utf8'))['robot_id']).not.toBe(parse(before)['robot_id']);
  expect(await world.count('robots')).toBe(2);
});

test('without a key it says what to do; with a broken file too', async () => {
  await using home = await startHome();
  const without = await home.cli(['agent', 'run']);
  expect(without.code).toBe(4);
  expect(without.stderr).toContain('set SERVICE_ENROLLMENT_KEY');
  await mkdir(home.config, { recursive: true, mode: 0o700 });
  await writeFile(join(home.config, 'agent.toml'), 'robot_id = "x"\n', { mode: 0o600 });
  const broken = await home.cli(['agent', 'run']);
  expect(broken.code).toBe(1);
  expect(broken.stderr).toContain('has no backend_url');
});

test('forget removes the identity and sends nothing', async () => {
  await using world = await startWorld();
  await using home = await startHome({ TEST_BASE_URL: world.url });
  await home.cli(['agent', 'run', '--enrollment-key', await newKey(world)]);
  const result = await home.cli(['agent', 'forget', '--json']);
  expect(result).toMatchObject({ code: 0, stdout: '{"data":{"forgotten":true}}\n' });
  expect(result.stderr).toContain('cli robots remove');
  expect(await readdir(home.config)).toEqual([]);
  expect((await home.cli(['agent', 'forget'])).stderr).toContain('This machine is no robot');
  expect(await world.count('robots')).toBe(1);
});
