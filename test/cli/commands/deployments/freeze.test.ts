import { expect, test } from 'vitest';
import { begun } from '../../../support/applied.ts';
import { signedInHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startWorld } from '../../../support/world.ts';

test('all deployments are frozen with a reason, lists say so, and a thaw releases them', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  const key = await make.key();
  await make.robot('amr-1', key);
  const { id } = await make.deployment({
    release_id: (await make.release()).id,
    target_kind: 'fleet',
    target_id: key.fleet_id,
  });
  await begun(world, id);
  const without = await home.cli(['deployments', 'freeze']);
  expect(without).toMatchObject({ code: 2 });
  expect(without.stderr).toContain('missing flag --reason <text>');
  const dry = await home.cli(['deployments', 'freeze', '--reason', 'robots stop', '--dry-run']);
  expect(dry.stderr).toContain('Freeze all deployments of the org');
  expect(dry.stderr).toContain('No robot has one');
  await world.db.raw(
    `insert into orders (org_id, id, robot_id, lane, payload_digest, proof, deployment_ids)
     select org_id, gen_random_uuid(), robot_id, lane, '', '', array[deployment_id] from targets where deployment_id = ?`,
    [id],
  );
  const busy = '1 robot already has an order: cancel the deployment to stop it';
  const told = await home.cli(['deployments', 'freeze', '--reason', 'robots stop', '--dry-run']);
  expect(told.stderr).toContain(busy);
  const done = await home.cli(['deployments', 'freeze', '--reason', 'robots stop', '--yes', '--no-color'], {
    columns: 120,
  });
  expect(done.stdout).toMatch(/FROZEN +true\s+HELD +1\s/);
  expect(done.stderr + done.stdout).toContain(`Holds 1 deployment. Release them: cli deployments thaw. ${busy}`);
  for (const list of [
    ['deployments', 'list'],
    ['configs', 'deployments'],
  ]) {
    const { stderr, stdout } = await home.cli([...list, '--no-color'], { columns: 160 });
    expect(stdout + stderr).toMatch(
      /All deployments are frozen by an org token ending in \w{4} \w+ ago: robots stop\./,
    );
  }
  const resumed = await home.cli(['deployments', 'resume', id]);
  expect(resumed.stderr).toContain(': "robots stop"; thaw first');
  const thawed = await home.cli(['deployments', 'thaw', '--reason', 'repaired', '--fields', 'frozen,held']);
  expect(thawed.stdout).toBe('false\t0\n');
  const after = await home.cli(['deployments', 'list', '--no-color'], { columns: 160 });
  expect(after.stdout + after.stderr).not.toContain('frozen by');
});
