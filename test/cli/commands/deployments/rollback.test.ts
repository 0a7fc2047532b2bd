import { expect, test } from 'vitest';
import { applied, begun } from '../../../support/applied.ts';
import { signedInHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { keyFiles, newSigner } from '../../../support/signing.ts';
import { startWorld, type World } from '../../../support/world.ts';

/** A fleet of two robots: one applied nav-1, then both nav-2. */
async function withBadRelease(world: World) {
  const make = factories(world);
  const key = await make.key();
  const [one] = [await make.robot('amr-1', key), await make.robot('amr-2', key)];
  const [old, bad] = [await make.release({ tag: 'nav-1' }), await make.release({ tag: 'nav-2' })];
  const deploy = async (release: { id: string }, target: object) => {
    const { id } = await make.deployment({ release_id: release.id, ...target });
    await begun(world, id);
    await applied(world, id);
    return id as string;
  };
  await deploy(old, { target_kind: 'robot', target_id: one.robot_id });
  return { one, old, id: await deploy(bad, { target_kind: 'fleet', target_id: key.fleet_id }) };
}

test('whoever rolls back sees first which robots return to what, and then the deployments that return them', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { id } = await withBadRelease(world);
  const dry = await home.cli(['deployments', 'rollback', id, '--dry-run']);
  expect(dry.stderr).toContain('1 to nav-1');
  expect(dry.stderr).toContain('1 nothing earlier');
  const done = await home.cli(
    ['deployments', 'rollback', id, '--reason', 'robots lose their map', '--yes', '--no-color'],
    {
      columns: 200,
    },
  );
  expect(done.stdout).toMatch(
    /REQUESTED +.+: robots lose their map\s+RETURNS +1 to nav-1\s+KEEP IT +1 nothing earlier/,
  );
  const list = () => home.cli(['deployments', 'list', '--rollback-of', id, '--fields', 'release_name,rollback_of']);
  await expect.poll(async () => (await list()).stdout).toBe(`nav-1\t${id}\n`);
  const shown = await home.cli(['deployments', 'show', id, '--no-color'], { columns: 200 });
  expect(shown.stdout).toMatch(/ROLLED BACK +.+: robots lose their map/);
  expect(shown.stdout).toMatch(/RETURN TO +ROBOTS +DEPLOYMENT\s+nav-1 +1 +[0-9a-f]{8}\s+keep it: 1 nothing earlier/);
});

test('robots that take only signed orders return once the rollback is signed', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { id, one } = await withBadRelease(world);
  await world.db('robot_links').insert({
    org_id: world.orgId,
    robot_id: one.robot_id,
    epoch: 1,
    signed_only: true,
    connected_at: world.db.fn.now(),
    last_seen_at: world.db.fn.now(),
    agent_version: 'test/1',
    boot_id: 'boot',
    instance: 'boot',
  });
  const { private: key } = await keyFiles(home.path, 'release', newSigner());
  const unsigned = await home.cli(['deployments', 'rollback', id, '--fields', 'excluded']);
  expect(unsigned.stdout).toContain('signature_required');
  const signed = await home.cli(['deployments', 'rollback', id, '--sign', key, '--fields', 'returns']);
  expect(signed.stderr).toContain('Signed nav-1');
  expect(JSON.parse(signed.stdout)).toMatchObject([{ robots: 1 }]);
  const made = () => home.cli(['deployments', 'list', '--rollback-of', id, '--fields', 'signature']);
  await expect.poll(async () => (await made()).stdout.trim()).toMatch(/^[A-Za-z0-9+/=]{80,}$/);
});

test('a config value is rolled back to the revision before, also signed', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  const key = await make.key();
  const robot = await make.robot('amr-1', key);
  let id = '';
  for (const value of ['1', '2']) {
    await home.cli(['configs', 'set', 'nav.speed', value, '--robot', robot.robot_id]);
    [id = ''] = (await home.cli(['configs', 'deployments', '--fields', 'id'])).stdout.trim().split('\n').reverse();
    await begun(world, id);
    await applied(world, id);
  }
  const { private: file } = await keyFiles(home.path, 'release', newSigner());
  const done = await home.cli(['configs', 'rollback', id, '--sign', file, '--fields', 'returns']);
  expect(done.stderr).toContain('Signed default/nav.speed = 1');
  expect(JSON.parse(done.stdout)).toMatchObject([{ revision: 1, robots: 1 }]);
});
