import { expect, test } from 'vitest';
import { signedInHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startWorld, type World } from '../../../support/world.ts';

const deployLatest = ['deploy', 'latest', '--fleet', 'pickers', '--fields', 'release_id'];

async function withFleet(world: World) {
  const make = factories(world);
  await make.robot('amr-1', await make.key());
  return make;
}

test('latest is the newest release, which is said before it is deployed', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = await withFleet(world);
  const none = await home.cli(deployLatest);
  expect(none).toMatchObject({ code: 5, stdout: '' });
  expect(none.stderr).toContain('Push one with: cli releases push <path>.');
  await make.release({ tag: 'nav-1' });
  const newest = await make.release({ tag: 'nav-2' });
  const { code, stdout, stderr } = await home.cli(deployLatest);
  expect(code).toBe(0);
  expect(stdout).toBe(`${newest.id}\n`);
  expect(stderr).toMatch(/^latest is nav-2 \(container_image\), pushed \ds ago$/m);
});

test('of releases of several kinds none is the latest, until --kind selects one', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = await withFleet(world);
  await make.release({ tag: 'nav-1' });
  const maps = await make.release({ tag: 'maps-7', kind: 'file' });
  await make.release({ tag: 'nav-2' });
  const refused = await home.cli(deployLatest);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/--kind: container_image \(nav-2, pushed \ds ago\), file \(maps-7, pushed \ds ago\)/);
  expect(await world.count('deployments')).toBe(0);
  const { stdout } = await home.cli([...deployLatest, '--kind', 'file']);
  expect(stdout).toBe(`${maps.id}\n`);
  // These commands have no --kind.
  for (const line of [
    ['robots', 'list', '--release', 'latest'],
    ['robots', 'pin', 'amr-1', '--release', 'latest', '--until', '3d', '--reason', 'test'],
  ]) {
    const { code, stderr } = await home.cli(line);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`, ${maps.id} is file (maps-7, pushed `)]);
    expect(stderr).not.toContain('--kind');
  }
});

test('a release tagged latest is what latest names', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = await withFleet(world);
  const tagged = await make.release({ tag: 'latest' });
  await make.release({ tag: 'nav-2' });
  const { stdout, stderr } = await home.cli(deployLatest);
  expect(stdout).toBe(`${tagged.id}\n`);
  expect(stderr).toContain('latest is the release tagged "latest" (container_image)');
});

test('the latest deployment is shown, watched and listed, and never cancelled', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = await withFleet(world);
  const missing = await home.cli(['deployments', 'show', 'latest']);
  expect(missing.code).toBe(5);
  expect(missing.stderr).toContain('there is no deployment yet');
  await make.release({ tag: 'nav-1' });
  await home.cli(deployLatest);
  await make.release({ tag: 'nav-2' });
  const id = (await home.cli(['deploy', 'nav-2', '--robot', 'amr-1', '--fields', 'id'])).stdout.trim();
  const shown = await home.cli(['deployments', 'show', 'latest', '--fields', 'id']);
  expect(shown).toMatchObject({ code: 0, stdout: `${id}\n` });
  expect(shown.stderr).toMatch(
    new RegExp(`^latest is ${id.slice(-8)}: nav-2 to robot amr-1, \\w+, created \\ds ago$`, 'm'),
  );
  expect((await home.cli(['deployments', 'events', 'latest'])).code).toBe(0);
  const refused = await home.cli(['deployments', 'cancel', 'latest']);
  expect(refused.code).toBe(2);
  expect((await home.cli(['configs', 'deployment', 'latest'])).code).toBe(5);
  expect((await world.call('GET', `/api/deployments/${id}`)).body.data.status).not.toBe('cancelled');
});
