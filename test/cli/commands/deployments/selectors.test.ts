import { expect, test } from 'vitest';
import { decodeSignature } from '../../../../cli/agent/signatures/statement.ts';
import { signedInHome, type Home } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { keyFiles, newSigner } from '../../../support/signing.ts';
import { startWorld, type World } from '../../../support/world.ts';

/** Three robots in one fleet; amr-1 and amr-2 are canaries. */
async function withCanaries(world: World) {
  const make = factories(world);
  const key = await make.key();
  for (const name of ['amr-1', 'amr-2', 'amr-3']) {
    const { robot_id: id } = (await make.robot(name, key)) as { robot_id: string };
    if (name !== 'amr-3') await world.call('PATCH', `/api/robots/${id}`, { body: { labels: { tier: 'canary' } } });
  }
  await make.release({ tag: 'nav-1.8.2' });
}

const wide = { columns: 200 };
const selector = 'tier in (canary,spare)';
const deploy = (home: Home, ...more: string[]) => home.cli(['deploy', 'nav-1.8.2', '--selector', selector, ...more]);

test('a release is deployed to a selector, which lists and details show as its target', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await withCanaries(world);
  const made = await deploy(home, '--json');
  const { id, target_id } = JSON.parse(made.stdout).data;
  expect(made.stderr).toBe('');
  await expect
    .poll(async () => (await home.cli(['deployments', 'show', id, '--fields', 'status'])).stdout)
    .toBe('pending\n');
  const fields = ['--fields', 'target_kind,target_id,target_selector,target_name'];
  expect((await home.cli(['deployments', 'list', ...fields])).stdout).toBe(
    `selector\t${target_id}\t${selector}\t${selector}\n`,
  );
  const listed = await home.cli(['deployments', 'list', '--no-color'], wide);
  expect(listed.stdout).toContain(selector);
  const shown = await home.cli(['deployments', 'show', 'latest']);
  expect(shown.stderr).toContain(`nav-1.8.2 to selector ${selector}`);
});

test('the effect of a deployment to a selector has the number of robots that match now', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await withCanaries(world);
  const facts = async (...more: string[]) => {
    const line = ['deploy', 'nav-1.8.2', '--selector', selector, '--no-color', ...more];
    const { stdout, stderr } = await home.cli(line, wide); // the question is not answered
    return stdout + stderr;
  };
  expect(await facts()).toContain(`Deploy nav-1.8.2 to selector ${selector}`);
  expect(await facts()).toMatch(/Robots +2, which match now/);
  expect(await facts('--scheduled-at', 'in 2h')).toMatch(/Robots +those that match at the start, 2 now/);
  const none = await home.cli(['deploy', 'nav-1.8.2', '--selector', 'tier=none', '--no-color'], wide);
  expect(none.stdout + none.stderr).toMatch(/Robots +none: it will fail/);
  const plan = await deploy(home, '--dry-run', '--jq', '.data.counts.robots');
  expect(plan.stdout).toBe('2\n');
});

test('a config goes to a selector as it is set, and later; lists find deployments by it', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await withCanaries(world);
  expect(await home.cli(['configs', 'set', 'nav.max_speed', '1.2', '--selector', '!tier'])).toMatchObject({ code: 0 });
  expect(await home.cli(['configs', 'deploy', 'nav.max_speed', '--selector', 'tier=canary'])).toMatchObject({
    code: 0,
  });
  const { stdout } = await home.cli(['configs', 'deployments', '--fields', 'target_name', '--order', 'asc']);
  expect(stdout).toBe('!tier\ntier=canary\n');
  const canaries = ['configs', 'deployments', '--selector', 'tier == canary', '--fields', 'target_name'];
  expect((await home.cli(canaries)).stdout).toBe('tier=canary\n');
  const releases = await home.cli(['deployments', 'list', '--selector', 'tier=canary', '-o', 'name']);
  expect(releases).toMatchObject({ code: 0, stdout: '' });
  const wrong = await home.cli(['deployments', 'list', '--selector', 'tier=canary,']);
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('target_selector: needs a requirement') });
  const both = await home.cli(['deployments', 'list', '--selector', 'tier', '--fleet', 'pickers']);
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('--fleet and --selector exclude each other') });
});

test('a selector with a fault is one clear error, before anything changes', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await withCanaries(world);
  for (const [selector, message] of [
    ['@site=Kyoto', '--selector: site "Kyoto" not found'],
    ['tier=canary,', '--selector: needs a requirement, such as tier=canary'],
  ] as const)
    for (const command of [
      ['deploy', 'nav-1.8.2'],
      ['configs', 'set', 'nav.max_speed', '1.2'],
    ])
      expect(await home.cli([...command, '--selector', selector])).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(`Error: ${message}`) as string,
      });
  expect([await world.count('configs'), await world.count('deployments')]).toEqual([0, 0]);
});

test('robots are listed by a selector', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await withCanaries(world);
  const { stdout } = await home.cli(['robots', 'list', '--label', '!tier,@fleet=pickers', '--fields', 'name']);
  expect(stdout).toBe('amr-3\n');
});

test('the signature for a selector is for all robots of the org, which the command says', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await withCanaries(world);
  const { private: file } = await keyFiles(home.path, 'release', newSigner());
  const made = await deploy(home, '--sign', file, '--json');
  expect(made.stderr).toMatch(/Signed nav-1.8.2 of kind \w+ \([0-9a-f]{64}\) for all robots of org /);
  expect(decodeSignature(JSON.parse(made.stdout).data.signature).scope).toBe('org');
});

test('a deployment to a selector is dynamic until a time or for a span, which lists show', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await withCanaries(world);
  const made = await deploy(home, '--dynamic-until', '30d', '--json');
  const { id, dynamic, dynamic_until: until } = JSON.parse(made.stdout).data;
  expect(dynamic).toBe(true);
  expect(Math.abs(Date.parse(until) - Date.now() - 30 * 86_400_000)).toBeLessThan(60_000);
  const listed = await home.cli(['deployments', 'list', '-o', 'wide', '--no-color'], { columns: 400 });
  expect(listed.stdout).toMatch(/DYNAMIC[^]*until /);
  await home.cli(['deployments', 'cancel', id, '--yes']);
  await expect
    .poll(async () => (await home.cli(['deployments', 'show', id, '--fields', 'dynamic'])).stdout)
    .toBe('false\n');
  const at = '2027-01-31T02:00:00+09:00';
  const planned = await deploy(home, '--dry-run', '--dynamic-until', at, '--jq', '.data.dynamic_until');
  expect(planned.stdout).toBe('2027-01-30T17:00:00.000Z\n');
  const effect = await home.cli(
    ['deploy', 'nav-1.8.2', '--selector', 'tier=spare', '--no-color', '--dynamic-until', at],
    wide,
  );
  expect(effect.stdout + effect.stderr).toMatch(/Dynamic +also robots that match until 2027-01-3/);
});

test.each([
  [['--fleet', 'pickers', '--dynamic-until', '30d'], '--dynamic-until requires --selector'],
  [['--selector', 'tier', '--dynamic-until', 'soon'], '--dynamic-until: "soon" is not a time'],
  [['--selector', 'tier', '--dynamic-until', 'now'], '--dynamic-until: "now" is not a time ahead'],
  [['--selector', 'tier', '--dynamic-until', '900d'], '--dynamic-until: "900d" is more than a year ahead'],
] as const)('%j is a usage error', async (flags, message) => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const refused = await home.cli(['deploy', 'nav-1.8.2', ...flags]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string });
  expect(await world.count('deployments')).toBe(0);
});
