import { expect, test } from 'vitest';
import { begun, timedOut } from '../../../support/applied.ts';
import { signedInHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startWorld, type World } from '../../../support/world.ts';

/** A fleet of two robots, on which nav-1 timed out. */
async function withFailure(world: World): Promise<string> {
  const make = factories(world);
  const key = await make.key();
  for (const name of ['amr-1', 'amr-2']) await make.robot(name, key);
  const release = await make.release({ tag: 'nav-1' });
  const { id } = await make.deployment({ release_id: release.id, target_kind: 'fleet', target_id: key.fleet_id });
  await begun(world, id);
  await timedOut(world, id);
  return id as string;
}

test('whoever retries sees first how many robots are retried, and why they failed', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const id = await withFailure(world);
  const dry = await home.cli(['deployments', 'retry', id, '--dry-run', '--attempts', '3', '--backoff', '10m']);
  expect(dry.stderr).toMatch(/Retry +2 timed out/);
  expect(dry.stderr).toMatch(/Attempts +at most 3/);
  expect(dry.stderr).toMatch(/Warning +These robots receive it at once, without waves and abort rules\./);
  const list = () => home.cli(['deployments', 'list', '--retry-of', id, '--fields', 'release_name,retry_of,retry']);
  expect((await list()).stdout).toBe('');
  const wish = ['--failed-as', 'timed_out,failed', '--attempts', '3', '--backoff', '10m', '--reason', 'repaired'];
  const done = await home.cli(['deployments', 'retry', id, ...wish, '--yes', '--no-color'], { columns: 200 });
  expect(done.stdout).toMatch(/RETRY +attempt 1 of 3: repaired/);
  const [name, original, terms = ''] = (await list()).stdout.trim().split('\t');
  expect([name, original]).toEqual(['nav-1', id]);
  expect(JSON.parse(terms)).toEqual({
    attempt: 1,
    attempts: 3,
    backoff: '10m',
    reason: 'repaired',
    reasons: ['timed_out', 'failed'],
  });
});

test('an unknown reason and an invalid backoff are refused with what they take', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const id = await withFailure(world);
  const refused = async (...wish: string[]) => (await home.cli(['deployments', 'retry', id, ...wish])).stderr;
  expect(await refused('--failed-as', 'late')).toContain('body.reasons.0');
  expect(await refused('--failed-as', 'any,failed')).toContain('any includes the others');
  expect(await refused('--backoff', 'soon')).toContain(
    'body.backoff: takes a duration such as 90s, 30m, 2h or 1d, not "soon"',
  );
  expect(await refused('--backoff', '2d')).toContain('body.backoff: must be from 0s to 1d');
});

test('a config deployment is retried alike', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  const robot = await make.robot();
  const { id: config_id } = await make.config();
  const { id } = await make.deployment({ config_id, target_kind: 'robot', target_id: robot.robot_id });
  await begun(world, id);
  await timedOut(world, id);
  const done = await home.cli(['configs', 'retry', id, '--fields', 'retry_of']);
  expect([done.code, done.stdout.trim()]).toEqual([0, id]);
});
