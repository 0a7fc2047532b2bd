import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { tokenRotation } from '../../../cli/agent/token-rotation.ts';
import { startAgent } from '../../support/agent-process.ts';
import { listen, startHome, type Home } from '../../support/cli.ts';
import { factories } from '../../support/factories.ts';
import { until } from '../../support/until.ts';
import { startIsolatedWorld, type World } from '../../support/world.ts';

const tomlOf = async (home: Home) => readFile(join(home.config, 'agent.toml'), 'utf8');
const tokenIn = (toml: string) => /^robot_token = "(.*)"$/m.exec(toml)?.[1] ?? '';

async function robotAt(world: World, home: Home) {
  const { value } = await factories(world).key();
  const env = { SERVICE_ENROLLMENT_KEY: value as string };
  const start = () => startAgent(home, ['--backend-url', world.url], env);
  const listed = async () => (await world.call('GET', '/api/tokens?kind=robot')).body.items[0];
  const robot = async () => (await world.call('GET', '/api/robots')).body.items[0];
  const rotate = () =>
    home.cli(['robots', 'rotate-token', 'amr-1', '--base-url', world.url], { env: { SERVICE_TOKEN: world.orgToken } });
  return { start, listed, robot, rotate };
}

test('cli robots rotate-token: the agent has another token on disk, its link is the same, and the old token is refused', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome();
  const { start, listed, robot, rotate } = await robotAt(world, home);
  await using agent = start();
  await agent.sees('Connected');
  const [before, { id, name }] = [await tomlOf(home), await robot()];
  await world.call('PATCH', `/api/robots/${id}`, { body: { name: 'amr-1' } });
  expect((await world.db('robot_links').first()).epoch).toBe(1);
  const { code, stderr } = await rotate();
  expect({ code, stderr }).toMatchObject({ code: 0 });
  await expect.poll(async () => tokenIn(await tomlOf(home))).not.toBe(tokenIn(before));
  const after = await tomlOf(home);
  expect(after).toBe(before.replace(tokenIn(before), tokenIn(after)));
  await expect.poll(listed).not.toHaveProperty('rotation_wanted_at');
  const status = async (token: string) =>
    (await world.call('GET', `/agent/payloads/${'0'.repeat(64)}`, { token })).status;
  expect(await status(tokenIn(before))).toBe(401);
  expect(await status(tokenIn(after))).toBe(404);
  // The link that began with the old one goes on, and the next one begins with the new one.
  expect((await world.db('robot_links').first()).epoch).toBe(1);
  expect((await robot()).online).toBe(true);
  agent.kill('SIGTERM');
  expect(await agent.ended).toMatchObject({ code: 0 });
  await using next = start();
  await next.sees('Connected');
  expect(name).not.toBe('amr-1');
});

test('an agent whose file is not its own any more keeps its token, says so, and does as it was told with its next link', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome();
  const { start, listed, robot, rotate } = await robotAt(world, home);
  await using agent = start();
  await agent.sees('Connected');
  const [before, { id }] = [await tomlOf(home), await robot()];
  await world.call('PATCH', `/api/robots/${id}`, { body: { name: 'amr-1' } });
  const other = before.replace(tokenIn(before), 'svc_robot_of_somebody_else');
  await writeFile(join(home.config, 'agent.toml'), other);
  await chmod(join(home.config, 'agent.toml'), 0o600);
  await rotate();
  await agent.sees('the token of this robot was not replaced');
  expect(await tomlOf(home)).toBe(other);
  expect(await listed()).toMatchObject({ rotation_wanted_at: expect.any(String) });
  agent.kill('SIGTERM');
  await agent.ended;
  await writeFile(join(home.config, 'agent.toml'), before);
  await using next = start();
  await expect.poll(async () => tokenIn(await tomlOf(home))).not.toBe(tokenIn(before));
  await expect.poll(listed).not.toHaveProperty('rotation_wanted_at');
  next.kill('SIGTERM');
  expect(await next.ended).toMatchObject({ code: 0 });
});

test('a token that could be replaced at last is told, and what goes wrong after it is on disk is told as that', async () => {
  const answers = [403, 200, 403, 200, 200];
  await using server = await listen((_, response) => {
    const status = answers.shift() ?? 500;
    const token = `svc_robot_${String(answers.length).repeat(64)}`;
    response.writeHead(status).end(JSON.stringify({ data: { robot_token: token } }));
  });
  const told: string[] = [];
  const rotation = tokenRotation('svc_robot_first', {
    backendUrl: server.url,
    socketOptions: {},
    check: () => Promise.resolve(),
    keep: (_, next) => Promise.resolve(void told.push(`kept …${next.slice(-1)}`)),
    tell: (message) => told.push(message),
    onFailed: (message) => told.push(message),
    onWell: () => told.push('well'),
  });
  const kept = ['kept …3', 'the token of this robot was replaced', 'well'];
  for (const expected of [
    ['the token of this robot was not replaced: the service responded with 403'],
    [...kept, 'the previous token of this robot stays valid for at most a day: the service responded with 403'],
    ['kept …1', ...kept.slice(1)],
  ]) {
    told.length = 0;
    await until(() => {
      if (told.length === 0) rotation.begin(); // changes nothing while one is going on
      return told.length === expected.length;
    });
    expect(told).toEqual(expected);
  }
  rotation.stop();
});

test('an agent that is killed at any moment of it has a token that is good', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome();
  const { start, listed, robot } = await robotAt(world, home);
  const token = async () => tokenIn(await tomlOf(home));
  const seen = new Set<string>();
  // However slow the machine is: by the last moment it has kept another one.
  const moments = [2, 5, 8, 11, 14, 18, 25, 60].map((afterMs) => () => pause(afterMs));
  for (const moment of [...moments, () => until(async () => !seen.has(await token()))]) {
    await using agent = start();
    await agent.sees('Connected');
    const { id } = await robot();
    expect((await world.call('POST', `/api/robots/${id}/rotate-token`)).status).toBe(200);
    await moment();
    agent.kill('SIGKILL');
    await agent.ended;
    seen.add(await token());
  }
  expect(seen.size).toBeGreaterThan(1);
  await using last = start();
  await last.sees('Connected');
  await expect.poll(listed).not.toHaveProperty('rotation_wanted_at');
  last.kill('SIGTERM');
  expect(await last.ended).toMatchObject({ code: 0 });
});
