import { expect, test } from 'vitest';
import { recount } from '../../../src/deployments/engine/recount.ts';
import { createDeploymentEngine } from '../../../src/deployments/api/service.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { factories } from '../../support/factories.ts';
import { startWorld } from '../../support/world.ts';
import { startIsolatedDeploymentWorld, type DeploymentWorld, some } from './support.ts';

/** Another replica's engine on the same database. */
function anotherEngine(it: DeploymentWorld) {
  const log = createLogger('debug', [], (line) => void it.world.lines.push(line));
  const engine = createDeploymentEngine({ db: it.db, bus: it.world.bus, log });
  engine.start();
  return { ...engine, [Symbol.asyncDispose]: () => engine.stop() };
}

test('of several replicas one begins each deployment, once, never before its instant by the clock of the database and soon after', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await using second = anotherEngine(it);
  await using third = anotherEngine(it);
  expect(second.orderPort).not.toBe(third.orderPort);
  await it.robots(3);
  const configId = await it.config('speed', 1);
  const { rows } = await it.db.raw<{ rows: [{ now: Date }] }>('select clock_timestamp() as now');
  const startMs = rows[0].now.getTime();
  const ids: string[] = [];
  for (let n = 0; n < 60; n += 1) {
    const at = new Date(startMs + 1_500 + (n % 4) * 400).toISOString();
    ids.push(await it.deploy({ configId }, { fleet: it.fleetId }, n % 5 === 0 ? {} : { scheduled_at: at }));
  }
  await expect
    .poll(async () => Number((await it.db('deployments').where({ status: 'scheduled' }).count().first())?.['count']))
    .toBe(0);
  const begun = await it.db('deployments').select('due_at', 'started_at', 'rank');
  for (const { due_at: due, started_at: started } of begun as { due_at: Date; started_at: Date }[])
    expect(started.getTime()).toBeGreaterThanOrEqual(due.getTime());
  const late = (begun as { due_at: Date; started_at: Date }[]).map(
    (row) => row.started_at.getTime() - row.due_at.getTime(),
  );
  expect(Math.max(...late)).toBeLessThan(9_000); // a second where nobody else needs the machine; after a failure, 10 s
  expect(new Set(begun.map(({ rank }) => rank)).size).toBe(60);
  for (const id of ids) {
    expect(await it.targets(id)).toHaveLength(3);
    expect((await it.story(id)).filter((line) => line === 'pending')).toHaveLength(1);
  }
  // All of one key: but for the newest each is superseded, however they began.
  await expect
    .poll(async () => Number((await it.db('deployments').where({ status: 'cancelled' }).count().first())?.['count']))
    .toBe(59);
  await it.check();
});

test('a deployment for a fleet without robots fails, and so does one whose robot is gone when it is due', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const release = await it.release();
  const empty = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(empty, 'failed');
  expect((await it.deployment(empty)).reason).toBe('no_targets');
  expect(await it.story(empty)).toEqual(['scheduled', 'failed no_targets']);
  const [robot] = some(await it.robots(1));
  const soon = new Date(Date.now() + 5_000).toISOString();
  const gone = await it.deploy({ releaseId: release.id }, { robot: robot.robotId }, { scheduled_at: soon });
  await it.db('robots').delete();
  await it.reaches(gone, 'failed');
  expect((await it.deployment(gone)).reason).toBe('no_targets');
  await it.check();
});

test('the robots of a deployment are those of the fleet when it begins', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await it.robots(2);
  const release = await it.release();
  const at = new Date(Date.now() + 5_000).toISOString();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, { scheduled_at: at });
  await it.robots(3);
  await it.reaches(id, 'pending');
  await it.robots(1);
  expect(await it.counts(id)).toMatchObject({ total: 5, waiting: 5 });
  expect(await it.db('waves').select('wave', 'total')).toEqual([{ wave: 1, total: 5 }]);
});

test('a deployment that cannot be begun holds up no other', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await it.robots(1);
  const [bad, good] = [await it.release(), await it.release('script')];
  await it.db.raw(`alter table targets add check (lane <> 'release:file')`);
  const stuck = await it.deploy({ releaseId: bad.id }, { fleet: it.fleetId });
  const id = await it.deploy({ releaseId: good.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  expect((await it.deployment(stuck)).status).toBe('scheduled');
  expect(it.world.lines.some((line) => line.includes('could not be started'))).toBe(true);
});

test('a deployment whose fleet is held up holds up none that is due later, and begins soon after', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const { robot_id, fleet_id } = (await make.robot()) as { robot_id: string; fleet_id: string };
  const release = (await make.release()).id as string;
  const order = async (target: { target_kind: string; target_id: string }) =>
    (await make.deployment({ release_id: release, ...target })).id as string;
  const statusOf = async (id: string) =>
    ((await world.db('deployments').where({ id }).first()) as { status: string }).status;
  const holder = await world.db.transaction();
  let held: string;
  try {
    await holder.raw('select from fleets where id = ? for key share', [fleet_id]);
    held = await order({ target_kind: 'fleet', target_id: fleet_id });
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await world.db.raw(waiting)).rowCount).toBe(1);
    const other = await order({ target_kind: 'robot', target_id: robot_id });
    await expect.poll(() => statusOf(other), { interval: 10 }).not.toBe('scheduled');
    expect(world.lines.some((line) => line.includes('could not be started'))).toBe(false); // it was being tried all the time
    await expect.poll(() => world.lines.some((line) => line.includes('could not be started'))).toBe(true);
  } finally {
    await holder.rollback();
  }
  await expect.poll(() => statusOf(held)).not.toBe('scheduled');
});

test('the recount finds a count that is wrong, and none where nothing is', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await it.robots(2);
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  expect(await recount(it.db)).toEqual([]);
  await it.db('deployment_counts').where({ deployment_id: id }).update({ waiting: 1, applied: 1 });
  expect(await recount(it.db)).toEqual([{ orgId: it.world.orgId, deploymentId: id }]);
  // Two at once: one counts, the other leaves it to that.
  await it.db.transaction(async (trx) => {
    await trx('deployment_counts').where({ deployment_id: id }).update({ waiting: 1 });
    expect(await recount(trx)).toHaveLength(1);
    expect(await recount(it.db)).toBeUndefined();
  });
  expect(await recount(it.db)).toHaveLength(1);
  const { text } = await it.world.call('GET', '/metrics');
  expect(text).toContain('fleet_deployment_count_mismatches_total 0');
  expect(text).toMatch(/fleet_deployment_targets_total 2/);
});
