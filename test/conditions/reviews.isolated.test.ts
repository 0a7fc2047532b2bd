import { expect, test } from 'vitest';
import { reviewStore } from '../../src/conditions/review-store.ts';
import { addRobotRows, upTo } from '../support/robot-rows.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';
import { agentOf, healthOf, ruleOf } from './support.ts';

const reviewsOf = ({ db }: World) => db('condition_reviews').whereNull('robot_id').orderBy('created_at');

test('while all robots of a large org are reviewed, snapshots are evaluated, and equal reviews become one', async () => {
  await using world = await startIsolatedWorld();
  const amr = await robotsOf(world).enroll('linked');
  using agent = await agentOf(world, amr);
  agent.send({ type: 'heartbeat', health: { estop: false } });
  await expect.poll(() => healthOf(world, amr)).toEqual(['healthy']);
  for (const from of [0, 4_000, 8_000])
    await addRobotRows(
      world,
      upTo(4_000).map((number) => from + number),
    );
  const { id } = await ruleOf(world, { name: 'warm', expression: 'cpu > 50', severity: 'degraded' });
  for (const limit of upTo(8))
    await world.call('PATCH', `/api/condition-rules/${id}`, { body: { expression: `cpu > ${50 + limit}` } });
  const [begun, ...waiting] = await reviewsOf(world);
  expect(waiting.length).toBeLessThanOrEqual(1);
  agent.send({ type: 'heartbeat', health: { estop: true } });
  await expect.poll(() => healthOf(world, amr)).toEqual(['unhealthy', 'emergency-stop']);
  // This robot is in the last page of the review.
  expect(await reviewsOf(world)).toContainEqual(expect.objectContaining({ id: begun.id }));
});

test('a review that has begun, or begins meanwhile, does not stand for a later change', async () => {
  await using world = await startIsolatedWorld();
  const { site_id: siteId } = await addRobotRows(world, upTo(2));
  await world.stop(0); // nothing else takes reviews
  const { db, orgId } = world;
  const ids = () => reviewsOf(world).pluck<string[]>('id');
  await reviewStore(db).request(orgId, {});
  await reviewStore(db).request(orgId, {});
  await reviewStore(db).request(orgId, { siteId });
  expect(await ids()).toHaveLength(2);

  await db.transaction(async (reviewing) => {
    expect(await reviewStore(reviewing).takePage(1)).toHaveLength(1);
    await reviewStore(db).request(orgId, {});
    expect(await ids()).toHaveLength(3);
  });
  await reviewStore(db).request(orgId, {});
  expect(await ids()).toHaveLength(3);
  await reviewStore(db).request(orgId, { siteId });
  expect(await ids()).toHaveLength(3);
});

test('a review that stands for a change begins once the change is committed', async () => {
  await using world = await startIsolatedWorld();
  await addRobotRows(world, upTo(2));
  await world.stop(0);
  const { db, orgId } = world;
  await reviewStore(db).request(orgId, {});
  const next = () => db.transaction((trx) => reviewStore(trx).takePage(1));
  await db.transaction(async (change) => {
    await reviewStore(change).request(orgId, {});
    expect(await next()).toBeUndefined();
  });
  expect(await next()).toHaveLength(1);
});
