import { expect, test } from 'vitest';
import { signedInHome } from '../../../support/cli.ts';
import { runsRelease } from '../../../support/applied.ts';
import { factories } from '../../../support/factories.ts';
import { startWorld } from '../../../support/world.ts';

test('deploy with a policy refuses an older release, says how to allow it, and its dry run counts the robots', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  const key = await make.key();
  const [one, two] = [await make.robot('amr-1', key), await make.robot('amr-2', key)];
  await make.release({ tag: 'nav-1' });
  await runsRelease(world, one.robot_id, await make.release({ tag: 'nav-2' }));
  await make.policy({ name: 'careful', rollout: { waves: [{ count: 1 }] } });
  const line = ['deploy', 'nav-1', '--fleet', 'pickers', '--policy', 'careful'];

  const refused = await home.cli(line);
  expect(refused.code).toBe(6);
  expect(refused.stderr).toContain('downgrade: 1 robot runs a newer release than nav-1: amr-1 (nav-2)');
  expect(refused.stderr).toContain('Deploy it anyway with: --allow-downgrade');

  await runsRelease(world, two.robot_id, await make.release({ tag: 'nav-3' }));
  const planned = await home.cli([...line, '--dry-run', '-o', 'table']);
  expect(planned.stdout).toMatch(/ROBOTS +2, 0 online, 2 robots run a newer release\n/);
  expect(planned.stdout).toMatch(/Robots\nROBOT +WAVE +ONLINE +RUNS +DOWNGRADE *\n/);
  expect(planned.stdout).toMatch(/amr-1 +[12] +no +nav-2 +yes/);
  const planOf = (stdout: string) => /ID +(\S+)/.exec(stdout)?.[1] ?? '';
  const stale = await home.cli(['deploy', '--plan', planOf(planned.stdout)]);
  expect([stale.code, stale.stderr]).toEqual([
    6,
    expect.stringContaining('Plan again with: --dry-run --allow-downgrade'),
  ]);
  expect((await home.cli(['deploy', '--plan', planOf(planned.stdout), '--allow-downgrade'])).stderr).toContain(
    '--plan and --allow-downgrade exclude each other',
  );

  const allowed = await home.cli([...line, '--allow-downgrade', '--dry-run', '-o', 'table']);
  expect((await home.cli(['deploy', '--plan', planOf(allowed.stdout)])).code).toBe(0);
  expect((await home.cli([...line, '--allow-downgrade'])).code).toBe(0);
  expect((await home.cli(['deployments', 'show', 'latest', '-o', 'table'])).stdout).toMatch(/DOWNGRADE +allowed\n/);
  expect((await home.cli(['deploy', 'nav-1', '--fleet', 'pickers'])).code).toBe(0);
  expect(await world.count('deployments')).toBe(3);
});
