import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAgent, stateOf } from '../../../support/agent-process.ts';
import { signedInHome, startHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startWorld } from '../../../support/world.ts';

test('an agent that holds an order until its window opens starts once that is deployed again with --ignore-windows', async () => {
  await using world = await startWorld();
  await using home = await startHome();
  await using desk = await signedInHome(world);
  const make = factories(world);
  const key = await make.key();
  await make.config({ key: 'nav.max_speed', value: 1.5 });
  // In Tokyo it opens in 12 hours.
  const hour = (new Date().getUTCHours() + 9 + 12) % 24;
  const windows = { activate: [{ cron: `0 ${hour} * * *`, duration: '1h' }] };
  await make.policy({ name: 'nightly', rollout: { waves: [{ percent: 100 }], windows } });
  const env = { SERVICE_ENROLLMENT_KEY: key.value as string, TEST_BASE_URL: world.url, TZ: 'Asia/Tokyo' };
  await using agent = startAgent(home, [], env);
  const robots = async () => (await world.call('GET', '/api/robots')).body.items;
  await expect.poll(async () => (await robots())[0]?.online).toBe(true);
  const [{ id, timezone }] = await robots();
  expect(timezone).toBe('Asia/Tokyo');
  const labelled = await world.call('PATCH', `/api/robots/${id}`, { body: { labels: { floor: '2' } } });
  expect(labelled.body.data).toMatchObject({ timezone, labels: { floor: '2' } });
  expect((await desk.cli(['robots', 'show', id, '-o', 'table'])).stdout).toMatch(/TIMEZONE +Asia\/Tokyo\n/);

  const line = [
    'configs',
    'deploy',
    'nav.max_speed',
    '--fleet',
    'pickers',
    '--policy',
    'nightly',
    '--yes',
    '--fields',
    'id',
  ];
  const deploy = async (...flags: string[]) => (await desk.cli([...line, ...flags])).stdout.trim();
  const targetOf = async (deployment: string) =>
    (await world.call('GET', `/api/configs/deployments/${deployment}/targets`)).body.items[0];
  const held = await deploy();
  await expect
    .poll(() => targetOf(held))
    .toMatchObject({ gate: { holder: 'window', reason: expect.stringContaining('Asia/Tokyo') } });

  const now = await deploy('--ignore-windows');
  await expect.poll(async () => (await targetOf(now))?.status).toBe('applied');
  await expect.poll(() => targetOf(held)).toMatchObject({ status: 'cancelled', reason: 'superseded' });
  const values = await readFile(join(stateOf(home), 'config', 'default.json'), 'utf8');
  expect(JSON.parse(values)).toEqual({ 'nav.max_speed': 1.5 });
  agent.kill('SIGTERM');
  expect((await agent.ended).code).toBe(0);
}, 60_000);
