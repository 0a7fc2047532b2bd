import { expect, test } from 'vitest';
import { factories } from '../../../support/factories.ts';
import { openDesk, pressAll, shown, type, want, type Desk } from '../../../support/ui-data-harness.ts';
import { startWorld, type World } from '../../../support/world.ts';

/** A fleet with a robot, a release, a config entry with two revisions, and a policy. */
async function withPolicy(world: World): Promise<{ policyId: string }> {
  const make = factories(world);
  await make.robot('amr-1', await make.key());
  await make.release({ tag: 'nav-1.8.2' });
  for (const value of [1, 2]) await make.config({ value });
  const policy = await make.policy({ name: 'careful', rollout: { waves: [{ count: 1 }, { percent: 10 }] } });
  return { policyId: policy.id };
}

/** Confirms a plan for the fleet. */
async function deployToFleet(desk: Desk): Promise<void> {
  type(desk, 'pickers');
  pressAll(desk, 'enter', 'enter');
  await expect.poll(() => desk.ui.overlay.get()).toBeUndefined();
}

test('a release is deployed to a fleet in the waves of a policy, and to a robot without the question', async () => {
  await using world = await startWorld();
  const { policyId } = await withPolicy(world);
  await using desk = await openDesk(world);
  const { data } = desk.ui;
  want(data.deployments);
  pressAll(desk, 'W', 'd');
  await expect.poll(() => shown(desk)).toContain('all robots at once');
  pressAll(desk, 'enter', 'enter');
  expect(shown(desk)).toContain('careful (1; 10%)');
  type(desk, 'care');
  pressAll(desk, 'enter', 'enter');
  await expect.poll(() => shown(desk)).toContain('cli deploy nav-1.8.2 --fleet pickers --policy careful');
  expect(shown(desk)).toMatch(/Rollout +careful\n/);
  expect(shown(desk)).toMatch(/Waves +1; 10%; then any others\n/);
  expect(shown(desk)).toMatch(/Next wave +100% applied/);
  await deployToFleet(desk);
  await expect.poll(() => data.deployments.get().value?.items).toMatchObject([{ rollout: { policy_id: policyId } }]);

  pressAll(desk, 'd');
  await expect.poll(() => shown(desk)).toContain('all robots at once');
  pressAll(desk, 'enter');
  type(desk, 'amr-1');
  expect(shown(desk)).not.toContain('Rollout');
  pressAll(desk, 'enter');
  expect(shown(desk)).toContain('enter continues to the plan');
  pressAll(desk, 'shift-tab', 'tab', 'enter');
  await expect.poll(() => shown(desk)).toContain('cli deploy nav-1.8.2 --robot amr-1');
  expect(shown(desk)).not.toContain('Rollout');
});

test('a policy that was chosen for a fleet is not used for the robot that is chosen after it', async () => {
  await using world = await startWorld();
  await withPolicy(world);
  await using desk = await openDesk(world);
  pressAll(desk, 'W', 'd');
  await expect.poll(() => shown(desk)).toContain('all robots at once');
  pressAll(desk, 'enter', 'enter');
  type(desk, 'care');
  pressAll(desk, 'shift-tab');
  type(desk, 'amr-1');
  pressAll(desk, 'enter', 'enter');
  await expect.poll(() => shown(desk)).toMatch(/cli deploy nav-1\.8\.2 --robot amr-1$/m);
});

test.each([
  ['d', ''],
  ['D', ' --revision 1'],
])('%s deploys a config entry in the waves of a policy', async (key, flags) => {
  await using world = await startWorld();
  const { policyId } = await withPolicy(world);
  await using desk = await openDesk(world, { place: { screen: 'configs' } });
  const { data } = desk.ui;
  want(data.configs, data.configDeployments);
  await expect.poll(() => data.configs.get().value?.items.length).toBe(1);
  pressAll(desk, 'W', key);
  await expect.poll(() => shown(desk)).toContain('all robots at once');
  pressAll(desk, 'enter', 'enter');
  type(desk, 'care');
  pressAll(desk, 'enter');
  const line = `cli configs deploy nav.max_speed --fleet pickers --policy careful${flags}`;
  await expect.poll(() => shown(desk)).toContain(line);
  await deployToFleet(desk);
  await expect
    .poll(() => data.configDeployments.get().value?.items)
    .toMatchObject([{ rollout: { policy_id: policyId } }]);
});

test('a policy with a pace asks whether the deployment is urgent, and one without does not', async () => {
  await using world = await startWorld();
  await withPolicy(world);
  const rollout = { waves: [{ count: 1 }], pace: { per_minute: 10 } };
  await factories(world).policy({ name: 'slow', rollout });
  await using desk = await openDesk(world);
  const { data } = desk.ui;
  want(data.deployments);
  pressAll(desk, 'W', 'd');
  await expect.poll(() => shown(desk)).toContain('all robots at once');
  pressAll(desk, 'enter', 'enter');
  type(desk, 'care');
  expect(shown(desk)).not.toContain('as the policy has it');
  pressAll(desk, 'ctrl-u');
  type(desk, 'slow');
  pressAll(desk, 'enter');
  expect(shown(desk)).toContain('as the policy has it');
  type(desk, 'urgent');
  pressAll(desk, 'enter', 'enter');
  await expect.poll(() => shown(desk)).toContain('cli deploy nav-1.8.2 --fleet pickers --policy slow --urgent');
  expect(shown(desk)).toMatch(/Pace +10\/min, ignored: urgent\n/);
  await deployToFleet(desk);
  await expect.poll(() => data.deployments.get().value?.items).toMatchObject([{ urgent: true }]);
});

test('a policy with windows asks whether they are ignored, and the plan and its command say so', async () => {
  await using world = await startWorld();
  await withPolicy(world);
  const windows = { activate: [{ cron: '0 22 * * *', duration: '6h' }], zone: 'Europe/Berlin' };
  await factories(world).policy({ name: 'nightly', rollout: { waves: [{ count: 1 }], windows } });
  await using desk = await openDesk(world);
  const { data } = desk.ui;
  want(data.deployments);
  pressAll(desk, 'W', 'd');
  await expect.poll(() => shown(desk)).toContain('all robots at once');
  pressAll(desk, 'enter', 'enter');
  type(desk, 'care');
  expect(shown(desk)).not.toContain('as the policy has them');
  pressAll(desk, 'ctrl-u');
  type(desk, 'nightly');
  pressAll(desk, 'enter');
  expect(shown(desk)).toContain('as the policy has them');
  type(desk, 'ignore');
  pressAll(desk, 'enter', 'enter');
  await expect
    .poll(() => shown(desk))
    .toContain('cli deploy nav-1.8.2 --fleet pickers --policy nightly --ignore-windows');
  expect(shown(desk)).toMatch(/Window +0 22 \* \* \* for 6h, Europe\/Berlin, finish at the end, ignored\n/);
  await deployToFleet(desk);
  await expect.poll(() => data.deployments.get().value?.items).toMatchObject([{ ignore_windows: true }]);
});
