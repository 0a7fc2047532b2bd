import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../../support/factories.ts';
import { startWorld } from '../../support/world.ts';

const waves = [{ count: 1, name: 'first' }, { percent: 100 }];

test('a deployment is created with the response that it has when it is read', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const key = await make.key();
  const robot = (await make.robot('amr-1', key)) as { robot_id: string };
  const [release, config, policy] = [await make.release(), await make.config(), await make.policy()];
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const later = { scheduled_at: inHours(1) };
  const dynamic = { dynamic: true, dynamic_until: inHours(48) };
  const fleet = { target_kind: 'fleet', target_id: key.fleet_id };
  const selected = { target_kind: 'selector', target_selector: `@fleet=${key.fleet_id}` };
  const activate = [{ cron: '0 22 * * *', duration: '6h' }];
  for (const [path, more] of [
    ['deployments', { ...later, target_kind: 'robot', target_id: robot.robot_id, active_minutes: 7 }],
    ['deployments', { ...later, ...fleet, ignore_gates: true, urgent: true }],
    ['deployments', { ...later, ...fleet, rollout: { waves, windows: { activate } }, allow_ungated: true }],
    ['deployments', { ...later, ...fleet, rollout: { waves, windows: { activate } }, ignore_windows: true }],
    ['deployments', { ...later, ...selected, rollout_policy_id: policy.id, allow_downgrade: true, ...dynamic }],
    ['deployments', { ...fleet, rollout: { waves, approval: { people: 2 } } }],
    ['configs/deployments', { ...later, ...selected }],
    ['configs/deployments', { ...fleet, rollout: { waves, approval: {} } }],
  ] as const) {
    const made = await world.call('POST', `/api/${path}`, {
      headers: { 'Idempotency-Key': randomUUID() },
      body: { ...(path === 'deployments' ? { release_id: release.id } : { config_id: config.id }), ...more },
    });
    expect(made.status, made.text).toBe(201);
    const read = await world.call('GET', `/api/${path}/${made.body.data.id}`);
    expect(made.body.data).toEqual(read.body.data);
    expect(made.body.data.waiting_on).toBeDefined();
  }
});
