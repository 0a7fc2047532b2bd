import { expect, test } from 'vitest';
import { deploymentRetention, removedByRetention } from '../../../src/deployments/api/retention.ts';
import { applied, begun } from '../../support/applied.ts';
import { factories } from '../../support/factories.ts';
import { startIsolatedWorld, type IsolatedWorld } from '../../support/world.ts';

/** Releases that all robots of a fleet applied one after the other, years ago, oldest first. */
async function played(world: IsolatedWorld, releases: number) {
  const make = factories(world);
  const key = (await make.key()) as { value: string; fleet_id: string };
  const robots = [await make.robot('a', key), await make.robot('b', key)] as { robot_id: string }[];
  const ids: string[] = [];
  for (let n = 0; n < releases; n += 1) {
    const order = { release_id: (await make.release()).id, target_kind: 'fleet', target_id: key.fleet_id };
    const { id } = (await make.deployment(order)) as { id: string };
    await begun(world, id);
    await world.db.raw(
      `insert into deployment_events (org_id, deployment_id, seq, at, status, robot_id, target_status)
       select org_id, deployment_id, 100 + row_number() over (), now(), 'in_progress', robot_id, 'applied' from targets where deployment_id = ?`,
      [id],
    );
    await applied(world, id);
    ids.push(id);
  }
  await world
    .db('deployments')
    .update({ ended_at: world.db.raw(`now() - interval '2 years' + rank * interval '1 hour'`) });
  return { robots, ids };
}

const targetsOf = async ({ db }: IsolatedWorld, ids: readonly string[]) => {
  const rows = await db('targets').select('deployment_id');
  return ids.map((id) => rows.filter((row) => row.deployment_id === id).length);
};

const again = ({ db }: IsolatedWorld) => db('deployment_retention').update({ resume_at: db.fn.now() });

test('targets of old deployments go once their robots applied three newer releases, and events of robots go', async () => {
  await using world = await startIsolatedWorld();
  const { db } = world;
  const { ids } = await played(world, 5);
  const counts = await db('deployment_counts').orderBy('deployment_id');
  const events = await db('deployment_events').whereNull('robot_id').orderBy(['deployment_id', 'seq']);
  await deploymentRetention(db, 1_000).run();
  expect(await targetsOf(world, ids)).toEqual([2, 2, 2, 2, 2]);

  await again(world);
  await deploymentRetention(db, 30).run();
  expect(await targetsOf(world, ids)).toEqual([0, 0, 2, 2, 2]);
  expect(await db('deployment_events').whereNotNull('robot_id')).toEqual([]);
  expect(await db('deployment_events').orderBy(['deployment_id', 'seq'])).toEqual(events);
  expect(await db('deployment_counts').orderBy('deployment_id')).toEqual(counts);
  expect(await removedByRetention(db)).toMatchObject({ targets: 4, deployment_events: 10 });
  const rollback = await world.call('POST', `/api/deployments/${ids[4]}/rollback`, { body: { reason: 'a test' } });
  expect([rollback.status, rollback.text]).toEqual([expect.toBeOneOf([200, 201]), expect.any(String)]);
});

test('nothing of a robot that has not applied newer releases is deleted, and all of a removed robot', async () => {
  await using world = await startIsolatedWorld();
  const { db } = world;
  const { ids, robots } = await played(world, 4);
  const [behind, removed] = robots.map(({ robot_id: id }) => id);
  await db.raw(`alter table targets disable trigger targets_moves`);
  await db('targets').where({ robot_id: behind }).whereNot({ deployment_id: ids[0] }).update({ status: 'failed' });
  await world.call('DELETE', `/api/robots/${removed}`);
  await deploymentRetention(db, 30).run();
  expect(await targetsOf(world, ids)).toEqual([1, 1, 1, 1]);
  expect(await db('targets').distinct('robot_id').pluck('robot_id')).toEqual([behind]);
});

test('a retention that is killed in a step does it again, and two replicas do not do the same', async () => {
  await using world = await startIsolatedWorld();
  const { db } = world;
  const { ids } = await played(world, 5);
  await Promise.all([deploymentRetention(db, 30).run(), deploymentRetention(db, 30).run()]);
  await deploymentRetention(db, 30).run();
  expect(await removedByRetention(db)).toMatchObject({ targets: 4, deployment_events: 10 });
  await again(world);
  await deploymentRetention(db, 30).run();
  expect(await targetsOf(world, ids)).toEqual([0, 0, 2, 2, 2]);
  expect(await removedByRetention(db)).toMatchObject({ targets: 4, deployment_events: 10 });
});
