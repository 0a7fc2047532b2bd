import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../../support/factories.ts';
import { addRobotRows, upTo } from '../../support/robot-rows.ts';
import { startWorld } from '../../support/world.ts';

/** More robots than are looked at to tell what their deployment waits for. */
const many = 1_200;

test('what thousands of robots wait for is told of the few that are there, wherever in the fleet they are', async () => {
  await using world = await startWorld();
  const { db, orgId } = world;
  const make = factories(world);
  const key = await addRobotRows(world, upTo(many));
  const release = await make.release();
  const order = { release_id: release.id as string, target_kind: 'fleet', target_id: key.fleet_id as string };
  const id = (await make.deployment(order)).id as string;
  const path = `/api/deployments/${id}`;
  const read = async () => (await world.call('GET', path)).body.data as Record<'status' | 'waiting_on', unknown>;
  const wait = async () => (await read()).waiting_on;
  await expect.poll(async () => (await read()).status).toBe('pending');
  expect(await wait()).toMatchObject({ code: 'robots_offline' });

  const targets = db<{ robot_id: string; deployment_id: string }>('targets').where({ deployment_id: id });
  const [robotId = ''] = await targets.orderBy('robot_id', 'desc').limit(1).pluck<string[]>('robot_id');
  const replicaId = randomUUID();
  await db.raw(`insert into replicas (id, lease_until) values (?, now() + interval '1 day')`, [replicaId]);
  await db.raw(
    `insert into robot_links (org_id, robot_id, epoch, replica_id, connected_at, last_seen_at, agent_version, boot_id, instance, takes_orders)
     values (?, ?, 1, ?, now(), now(), '1', 'b', 'i', true)`,
    [orgId, robotId, replicaId],
  );
  expect(await wait()).toMatchObject({ code: 'dispatch' });
  await db('orders').insert({
    org_id: orgId,
    id: randomUUID(),
    robot_id: robotId,
    lane: 'release:container_image',
    payload_digest: 'x',
    proof: 'x',
  });
  expect(await wait()).toMatchObject({ code: 'earlier_orders' });

  // All have the order; the one that is there works on it.
  await db('targets').where({ deployment_id: id }).update({ status: 'dispatched' });
  await db('deployment_counts').where({ deployment_id: id }).update({ waiting: 0, dispatched: many });
  expect(await wait()).toMatchObject({ code: 'robots_working' });
  await db('robot_links').where({ robot_id: robotId }).update({ replica_id: null });
  expect(await wait()).toMatchObject({ code: 'robots_offline' });
  expect((await world.call('GET', `${path}/targets?status=waiting`)).body.items).toEqual([]);
});
