import { expect, test } from 'vitest';
import { startHome, type Home } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startWorld, type World } from '../../../support/world.ts';

interface Named {
  id: string;
  name: string;
  online: boolean;
  labels: Record<string, string>;
}

const homeAt = (world: World) => startHome({ SERVICE_TOKEN: world.orgToken, TEST_BASE_URL: world.url });
const listOf = async <T>(world: World, path: string) => (await world.call('GET', path)).body.items as T[];
const robotsOf = (world: World) => listOf<Named>(world, '/api/robots');
const deploymentsOf = (world: World) => listOf<{ id: string; status: string }>(world, '/api/deployments');

/** Runs the demo until the robots are online, then `meanwhile`, then Ctrl-C. */
async function run(home: Home, meanwhile: () => Promise<void> = async () => undefined) {
  const running = home.start(['demo']);
  await running.sees('The demo is ready: 22 robots in 3 fleets');
  await meanwhile();
  running.kill('SIGINT');
  const result = await running.ended;
  expect(result.code, result.stderr).toBe(0);
  return result;
}

test('the demo fills every list, is the same when it is repeated, and is removed by one command', async () => {
  await using world = await startWorld();
  await using home = await homeAt(world);
  await run(home, async () => {
    await expect.poll(async () => (await robotsOf(world)).filter(({ online }) => online).length).toBeGreaterThan(15);
    await expect.poll(async () => (await deploymentsOf(world)).map(({ status }) => status)).toContain('in_progress');
    const again = await home.start(['demo'], { input: '' }).ended;
    expect([again.code, again.stderr]).toEqual([6, expect.stringContaining('the demo is already running, as process')]);
  });
  const robots = await robotsOf(world);
  expect(robots).toHaveLength(22);
  expect(robots.map(({ labels }) => labels['demo'])).toEqual(Array(22).fill('true'));
  expect(new Set(robots.map(({ labels }) => labels['problem'])).size).toBe(13);
  expect(new Set(robots.map(({ name }) => name)).size).toBe(22);
  const [site] = await listOf<Named>(world, '/api/sites?name=demo');
  expect(await listOf(world, `/api/fleets?site_id=${site?.id}`)).toHaveLength(3);
  const keys = await listOf<{ label?: string; revoked_at?: string }>(world, '/api/enrollment-keys');
  expect(keys.map(({ label, revoked_at: at }) => [label, at !== undefined])).toEqual(
    Array(3).fill(['demo=true', true]),
  );
  const deployments = await deploymentsOf(world);
  expect(deployments).toHaveLength(5);

  await run(home);
  expect((await robotsOf(world)).map(({ id }) => id)).toEqual(robots.map(({ id }) => id));
  expect(await deploymentsOf(world)).toHaveLength(5);
  expect(await listOf(world, '/api/enrollment-keys')).toHaveLength(3);

  const removed = await home.cli(['demo', '--remove', '--json']);
  expect(JSON.parse(removed.stdout)).toMatchObject({ data: { robots: 22, keys_revoked: 0, users: 1 } });
  expect(await robotsOf(world)).toEqual([]);
  const ends = ['applied', 'failed', 'rolled_back', 'cancelled'];
  await expect
    .poll(async () => (await deploymentsOf(world)).filter(({ status }) => !ends.includes(status)))
    .toEqual([]);
  expect((await home.cli(['demo', '--remove'])).stderr).toBe('Nothing to remove: this org has no demo.\n');

  // A demo that comes back has robots and deployments again, at the same site.
  await run(home);
  expect(await robotsOf(world)).toHaveLength(22);
  expect(await deploymentsOf(world)).toHaveLength(10);
  expect(await listOf(world, '/api/sites?name=demo')).toHaveLength(1);
});

test('robots of the demo that were removed meanwhile are enrolled again, alone', async () => {
  await using world = await startWorld();
  await using home = await homeAt(world);
  await run(home);
  const [first, ...others] = await robotsOf(world);
  await world.call('DELETE', `/api/robots/${first?.id}`);
  await run(home);
  const robots = await robotsOf(world);
  expect(robots).toHaveLength(22);
  expect(robots.map(({ id }) => id)).toEqual(expect.arrayContaining(others.map(({ id }) => id)));
  expect(robots.map(({ name }) => name)).toContain(first?.name);
});

test('a demo of another machine is not doubled: while it runs this one is refused, afterwards its robots are replaced', async () => {
  await using world = await startWorld();
  await using one = await homeAt(world);
  await using other = await homeAt(world);
  await run(one, async () => {
    await expect.poll(async () => (await robotsOf(world)).some(({ online }) => online)).toBe(true);
    const refused = await other.start(['demo'], { input: '' }).ended;
    expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('runs on another machine')]);
  });
  await expect.poll(async () => (await robotsOf(world)).some(({ online }) => online)).toBe(false);
  const before = await robotsOf(world);
  await run(other);
  const after = await robotsOf(world);
  expect(after).toHaveLength(22);
  expect(after.filter(({ id }) => before.some((robot) => robot.id === id))).toEqual([]);
});

test('an operator, who may not add users, gets the demo without one', async () => {
  await using world = await startWorld();
  const token = await factories(world).userToken('operator');
  await using home = await startHome({ SERVICE_TOKEN: token, TEST_BASE_URL: world.url });
  await run(home);
  expect(await listOf(world, '/api/users?email=demo@example.com')).toEqual([]);
  expect((await home.cli(['demo', '--remove'])).stderr).toContain('Removed 22 robots');
});

test('a killed demo leaves nothing that the next run does not find', async () => {
  await using world = await startWorld();
  await using home = await homeAt(world);
  const running = home.start(['demo']);
  await running.sees('Enrolled');
  running.kill('SIGKILL');
  await running.ended;
  await run(home);
  expect(await robotsOf(world)).toHaveLength(22);
});
