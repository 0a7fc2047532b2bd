import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { createDeploymentEngine, requestCancel } from '../../../src/deployments/api/service.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { factories } from '../../support/factories.ts';
import { some, startIsolatedDeploymentWorld, type DeploymentWorld, type Place } from './support.ts';

/** Another replica's engine on the same database. */
function anotherEngine(it: DeploymentWorld) {
  const log = createLogger('debug', [], (line) => void it.world.lines.push(line));
  const engine = createDeploymentEngine({ db: it.db, bus: it.world.bus, log });
  engine.start();
  return { ...engine, [Symbol.asyncDispose]: () => engine.stop() };
}

/** Schedules a deployment for each of these, for later. */
async function schedule(it: DeploymentWorld, places: readonly Place[], kind = 'file'): Promise<string[]> {
  const scheduled = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
  const ids: string[] = [];
  for (const place of places) ids.push(await it.deploy({ releaseId: (await it.release(kind)).id }, place, scheduled));
  return ids;
}

const allFallDue = (it: DeploymentWorld) =>
  it.db('deployments').where({ status: 'scheduled' }).update({ due_at: it.db.fn.now() });

const unstarted = async (it: DeploymentWorld, ids: readonly string[]) =>
  (await it.db('deployments').whereIn('id', ids).where({ status: 'scheduled' }).select('id')).map(
    ({ id }) => id as string,
  );

const allStart = (it: DeploymentWorld, ids: readonly string[]) =>
  expect.poll(() => unstarted(it, ids), { interval: 20 }).toEqual([]);

const ranksOf = async (it: DeploymentWorld, ids: readonly string[]) => {
  const rows = await it.db('deployments').whereIn('id', ids).select('id', 'rank');
  const ranks = new Map(rows.map(({ id, rank }) => [id as string, Number(rank)]));
  return ids.map((id) => ranks.get(id) ?? 0);
};

const eachRobot = async (it: DeploymentWorld, count: number): Promise<Place[]> =>
  (await it.robots(count)).map(({ robotId }) => ({ robot: robotId }));

test('deployments that are due at once start once each, in the order of their creation, with two replicas', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await using second = anotherEngine(it);
  expect(second.orderPort).not.toBe(it.orderPort);
  const places = await eachRobot(it, 120);
  const ids = await schedule(it, [...places, { fleet: it.fleetId }, ...places.slice(0, 10)]);
  await allFallDue(it);
  await allStart(it, ids);
  for (const id of ids) expect((await it.story(id)).filter((line) => line === 'pending')).toHaveLength(1);
  const targets = await it.db('targets').whereIn('deployment_id', ids).count().first();
  expect(Number(targets?.['count'])).toBe(120 + 120 + 10);
  const small = [...ids.slice(0, 120), ...ids.slice(121)];
  const ranks = await ranksOf(it, small);
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  await it.check();
});

test('of the deployments of a robot that are due at once the newest replaces the others', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const ids = await schedule(
    it,
    Array.from({ length: 30 }, () => ({ robot: robot.robotId })),
  );
  await allFallDue(it);
  for (const id of ids.slice(0, -1)) await it.reaches(id, 'cancelled');
  const newest = ids.at(-1) ?? '';
  expect(await it.target(newest, robot)).toMatchObject({ status: 'waiting' });
  expect((await it.handOut([robot])).get(robot.robotId)?.map(({ deployments }) => deployments)).toEqual([[newest]]);
  await it.check();
});

test('one that cannot start holds up none that is due with it, and starts once it can', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const places = await eachRobot(it, 20);
  const before = await schedule(it, places.slice(0, 10), 'script');
  const stuck = await schedule(it, places.slice(10, 11));
  const after = await schedule(it, places.slice(11), 'script');
  await it.db.raw(`alter table targets add constraint refused check (lane <> 'release:file')`);
  await allFallDue(it);
  await allStart(it, [...before, ...after]);
  expect(await unstarted(it, stuck)).toEqual(stuck);
  await it.db.raw('alter table targets drop constraint refused');
  await allStart(it, stuck);
  expect(await it.story(stuck[0] ?? '')).toEqual(['scheduled', 'pending']);
  await it.check();
});

test('one that has no robots left fails, and the others that are due with it start', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const places = await eachRobot(it, 9);
  const ids = await schedule(it, places);
  const [gone = ''] = ids.splice(4, 1);
  const [place] = places.splice(4, 1);
  await it
    .db('robots')
    .where({ id: place && 'robot' in place ? place.robot : '' })
    .delete();
  await allFallDue(it);
  await allStart(it, ids);
  await it.reaches(gone, 'failed');
  expect(await it.story(gone)).toEqual(['scheduled', 'failed no_targets']);
  await it.check();
});

test('one that is being cancelled when it is due with others does not start, and holds up none', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const ids = await schedule(it, await eachRobot(it, 9));
  const [held = ''] = ids.splice(4, 1);
  const [blocker, canceller] = [await it.db.transaction(), await it.db.transaction()];
  try {
    await blocker.raw('lock table disruption_budgets in access exclusive mode'); // which each look for due ones reads
    await allFallDue(it);
    await requestCancel(canceller, it.world.orgId, held);
    await blocker.commit();
    await allStart(it, ids);
    await canceller.commit();
  } finally {
    for (const each of [blocker, canceller]) if (!each.isCompleted()) await each.rollback();
  }
  expect(await it.story(held)).toEqual(['scheduled', 'cancelled']);
  expect(await it.targets(held)).toEqual([]);
  await it.check();
});

test('deployments to a large fleet and to one that another transaction holds start alone, and hold up no small ones', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const make = factories(it.world);
  const { robot_id: robotId, fleet_id: heldFleet } = (await make.robot()) as { robot_id: string; fleet_id: string };
  await it.robots(105);
  const [held = '', large = '', ...small] = await schedule(it, [
    { fleet: heldFleet },
    { fleet: it.fleetId },
    ...Array.from({ length: 5 }, () => ({ robot: robotId })),
  ]);
  const holder = await it.db.transaction();
  try {
    await holder.raw('select from fleets where id = ? for key share', [heldFleet]);
    await allFallDue(it);
    await allStart(it, [large, ...small]);
    expect(await unstarted(it, [held])).toEqual([held]);
  } finally {
    await holder.rollback();
  }
  await allStart(it, [held]);
  expect(await it.counts(large)).toMatchObject({ total: 105, waiting: 105 });
  await it.check();
});

test('many deployments of an org that each start alone hold up none of another org', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
  const rollout = { waves: [{ percent: 100 }] };
  await it.robots(1);
  const pattern = await it.deploy(
    { releaseId: (await it.release()).id },
    { fleet: it.fleetId },
    { scheduled_at, rollout },
  );
  // More than are looked at together.
  await it.db.raw(
    `with made as (
       insert into deployments select r.* from deployments d, generate_series(1, 249) as n,
              jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'n', n)) r where d.id = ? returning *
     ), counted as (
       insert into deployment_counts (org_id, deployment_id, event_seq) select org_id, id, 1 from made
     )
     insert into deployment_events (org_id, deployment_id, seq, status) select org_id, id, 1, 'scheduled' from made`,
    [pattern],
  );
  const make = factories(it.world);
  const { token } = await make.org();
  const key = await make.key({}, token);
  const { id: release_id } = await make.release({}, token);
  await make.robot(undefined, key);
  const order = { release_id, target_kind: 'fleet', target_id: key.fleet_id as string, scheduled_at };
  const plain = (await make.deployment(order, token)).id as string;
  const alone = (await make.deployment({ ...order, rollout }, token)).id as string;
  await it.db('deployments').update({
    due_at: it.db.raw(`now() - case when org_id = ? then interval '2 s' else interval '1 s' end`, [it.world.orgId]),
  });
  await allStart(it, [plain, alone]);
  const left = await it.db('deployments').where({ status: 'scheduled' });
  expect(left.length).toBeGreaterThan(200);
});

/** Keeps a start from storing rows of this table, which is after it has read its robots. Resolves once a start waits for it. */
async function holdUpStart(it: DeploymentWorld, trx: Knex, table: 'waves' | 'targets'): Promise<void> {
  await trx.raw(`lock table ${table} in share mode`);
  await allFallDue(it);
  const waiting = () =>
    it
      .db('pg_stat_activity')
      .where({ wait_event_type: 'Lock' })
      .whereRaw('datname = current_database()')
      .whereLike('query', `%insert into ${table}%`);
  await expect.poll(waiting, { interval: 10 }).not.toEqual([]);
}

const warnings = (it: DeploymentWorld) => it.world.lines.filter((line) => !/^{"level":[123]0/.test(line));

test('a robot that leaves its fleet while that gets a deployment is left out, and nothing warns of it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [leaving] = some(await it.robots(3));
  const [id = ''] = await schedule(it, [{ fleet: it.fleetId }]);
  await it.db.transaction(async (trx) => {
    await holdUpStart(it, trx, 'waves');
    await trx('robots').where({ id: leaving.robotId }).delete();
  });
  await allStart(it, [id]);
  expect(await it.counts(id)).toMatchObject({ total: 2, waiting: 2 });
  expect(warnings(it)).toEqual([]);
  await it.check();
});

test('a deployment to a large fleet that all robots leave while it starts fails, and nothing warns of it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await it.robots(105);
  const [id = ''] = await schedule(it, [{ fleet: it.fleetId }]);
  await it.db.transaction(async (trx) => {
    await holdUpStart(it, trx, 'targets');
    await trx('robots').delete();
  });
  await it.reaches(id, 'failed');
  expect(await it.deployment(id)).toMatchObject({ status: 'failed', reason: 'no_targets' });
  expect(warnings(it)).toEqual([]);
  await it.check();
});

test('what starts when the connection to the database breaks starts again, once', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const ids = await schedule(it, await eachRobot(it, 20));
  await it.db.raw(`
    create function wait_long() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return null; end $$;
    create trigger wait_long after insert on targets for each statement execute function wait_long()`);
  await allFallDue(it);
  const sleeping = `from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
  await expect.poll(async () => (await it.db.raw(`select ${sleeping}`)).rowCount).toBe(1);
  expect(await unstarted(it, ids)).toHaveLength(20);
  await it.db.raw(`select pg_terminate_backend(pid) ${sleeping}`);
  await it.db.raw('drop trigger wait_long on targets');
  await allStart(it, ids);
  for (const id of ids) {
    expect(await it.story(id)).toEqual(['scheduled', 'pending']);
    expect(await it.targets(id)).toHaveLength(1);
  }
  await it.check();
});

test('a deployment to a large fleet replaces an older one of each robot', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = some(await it.robots(105));
  const [older = '', single = '', newer = ''] = await schedule(it, [
    { fleet: it.fleetId },
    { robot: robot.robotId },
    { fleet: it.fleetId },
  ]);
  for (const id of [older, single, newer]) {
    await it.fallDue(id);
    await allStart(it, [id]);
  }
  await it.reaches(older, 'cancelled');
  await it.reaches(single, 'cancelled');
  expect(await it.counts(newer)).toMatchObject({ total: 105, waiting: 105 });
  await expect.poll(async () => (await it.deployment(newer)).is_superseding).toBe(false);
  await it.check();
});
