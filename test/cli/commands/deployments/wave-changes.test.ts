import { expect, test } from 'vitest';
import { begun } from '../../../support/applied.ts';
import { signedInHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startWorld, type World } from '../../../support/world.ts';

/** A rollout to a fleet of five robots: one, one, then the others. */
async function withRollout(world: World): Promise<string> {
  const make = factories(world);
  const key = await make.key();
  for (const name of ['amr-1', 'amr-2', 'amr-3', 'amr-4', 'amr-5']) await make.robot(name, key);
  const release = await make.release({ tag: 'nav-1' });
  const target = { target_kind: 'fleet', target_id: key.fleet_id };
  const { id } = await make.deployment({
    ...target,
    release_id: release.id,
    rollout: { waves: [{ count: 1 }, { count: 1 }] },
  });
  await begun(world, id);
  return id as string;
}

const wavesOf = async (world: World, id: string) =>
  (await world.call('GET', `/api/deployments/${id}`)).body.data.rollout.waves;

test('whoever skips a wave sees its robots first; by default it is the one that holds the rollout up', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const id = await withRollout(world);
  const dry = await home.cli(['deployments', 'skip', id, '--dry-run']);
  expect(dry.stderr).toContain(`Skip wave 1 of 3 of deployment ${id}`);
  expect(dry.stderr).toMatch(/Not begun +1 of 1 robots, which do not receive it/);
  expect((await wavesOf(world, id))[0]).not.toHaveProperty('skipped_at');
  const later = await home.cli(['deployments', 'skip', id, '--wave', '2', '--reason', 'in repair']);
  expect([later.code, later.stderr]).toEqual([0, '']);
  const first = await home.cli(['deployments', 'skip', id]);
  expect([first.code, first.stderr]).toEqual([0, '']);
  await expect.poll(async () => (await wavesOf(world, id))[2].started_at).toBeDefined();
  const shown = await home.cli(['deployments', 'show', id, '--no-color'], { columns: 200 });
  expect(shown.stdout).toMatch(/1 +1 +skipped: 1 cancelled/);
  expect(shown.stdout).toMatch(/2 +1 +skipped\s/);
  const last = await home.cli(['deployments', 'skip', id]);
  expect(last.stderr).toContain('the last wave cannot be skipped; cancel the deployment instead');
});

test('whoever changes waves sees which robots are assigned again, and how many are in each wave then', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const id = await withRollout(world);
  const wish = ['deployments', 'waves', id, '--wave', '40%', '--wave', 'rest: 1'];
  const dry = await home.cli([...wish, '--dry-run']);
  expect(dry.stderr).toContain(`Change the waves of deployment ${id} from wave 2 on`);
  expect(dry.stderr).toMatch(/Robots +4 that wait are assigned again/);
  expect(dry.stderr).toMatch(/Now +1 \(1\); any others \(3\)/);
  expect(dry.stderr).toMatch(/New +40%; rest: 1; then any others/);
  expect(await wavesOf(world, id)).toHaveLength(3);
  const done = await home.cli([...wish, '--yes', '--reason', 'slower'], { columns: 200 });
  expect(done.stdout).toContain('Robots by wave: wave 2: 2, wave 3: 1, wave 4: 1.');
  const begun = await home.cli(['deployments', 'waves', id, '--from', '9', '--wave', '1']);
  expect(begun.stderr).toContain('body.from: the rollout has 4 waves');
  expect((await home.cli(['deployments', 'waves', id])).stderr).toContain('--wave');
});

test('the waves of config deployments are skipped and changed alike', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  const key = await make.key();
  for (const name of ['amr-1', 'amr-2', 'amr-3']) await make.robot(name, key);
  const { id: config_id } = await make.config();
  const target = { target_kind: 'fleet', target_id: key.fleet_id };
  const { id } = await make.deployment({ ...target, config_id, rollout: { waves: [{ count: 1 }, { count: 1 }] } });
  await begun(world, id);
  const changed = await home.cli(['configs', 'waves', id, '--wave', '2', '--yes'], { columns: 200 });
  expect(changed.stdout).toContain('Robots by wave: wave 2: 2');
  const skipped = await home.cli(['configs', 'skip', id, '--wave', '1', '--fields', 'id']);
  expect([skipped.code, skipped.stdout.trim()]).toEqual([0, id]);
  const { rollout } = (await world.call('GET', `/api/configs/deployments/${id}`)).body.data;
  expect(rollout.waves[0]).toHaveProperty('skipped_at');
});
