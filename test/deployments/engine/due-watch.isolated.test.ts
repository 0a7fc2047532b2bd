import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDeploymentEngine } from '../../../src/deployments/api/service.ts';
import { watchDue } from '../../../src/deployments/engine/due-watch.ts';
import { createBus } from '../../../src/platform/bus/create-bus.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { startIsolatedWorld, type World } from '../../support/world.ts';
import { deploymentWorldOn, startIsolatedDeploymentWorld } from './support.ts';

/** The engine of a replica that hears no hint, because its bus is not started. */
function deafEngine({ connection }: World) {
  let statements = 0;
  const db = openDatabase(connection, { trace: () => void (statements += 1) });
  const log = createLogger('silent', []);
  const engine = createDeploymentEngine({ db, bus: createBus({ connection, log }), log });
  engine.start();
  return {
    db,
    sent: () => statements,
    async [Symbol.asyncDispose]() {
      await engine.stop();
      await db.destroy();
    },
  };
}

test('an engine without anything to do sends one statement a second', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await using engine = deafEngine(it.world);
  await pause(2_000);
  const before = engine.sent();
  await pause(5_000);
  expect(engine.sent() - before).toBeGreaterThanOrEqual(2);
  expect(engine.sent() - before).toBeLessThanOrEqual(7);
});

test('a question without a response wakes all work after a second', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const woken: string[] = [];
  const work = (name: string, isDue: string) => ({ isDue, wake: () => void woken.push(name) });
  const works = [work('slow', '(select false from pg_sleep(5))'), work('other', 'false')];
  const watch = watchDue({ db: it.db, log: createLogger('silent', []), works });
  watch.start();
  await expect.poll(() => woken, { timeout: 3_000 }).toEqual(['slow', 'other']);
  await watch.stop();
  expect(woken).toHaveLength(2);
});

test('without hints, what is due is found within seconds', async () => {
  await using world = await startIsolatedWorld();
  await using it = await deploymentWorldOn(world);
  await it.robots(2);
  const { id: releaseId } = await it.release();
  const later = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
  const plain = await it.deploy({ releaseId }, { fleet: it.fleetId }, later);
  const rollout = { ...later, rollout: { waves: [{ count: 1 }, { count: 1 }] } };
  const staged = await it.deploy({ configId: await it.config('speed', 1) }, { fleet: it.fleetId }, rollout);
  await world.stop(0);
  await using engine = deafEngine(world);
  await pause(1_500);
  const rowOf = (id: string) => engine.db('deployments').where({ id }).first();
  const becomes = (id: string, row: object) => expect.poll(() => rowOf(id), { timeout: 10_000 }).toMatchObject(row);

  await engine.db('deployments').update({ due_at: engine.db.fn.now() }); // by the claimer
  await becomes(plain, { status: 'pending' });
  await becomes(staged, { status: 'pending', open_wave: 1 });
  await engine.db('waves').where({ wave: 1 }).update({ skipped_at: engine.db.fn.now() }); // by the sweeper
  await becomes(staged, { open_wave: 2 }); // by the worker of rollouts
  await engine.db('deployments').update({ is_superseding: true }); // by the sweeper, as the next one
  await becomes(plain, { is_superseding: false });
  await engine
    .db('targets')
    .where({ deployment_id: plain })
    .update({ deadline_at: new Date(0) });
  await engine
    .db('deployment_counts')
    .where({ deployment_id: plain })
    .update({ next_deadline_at: new Date(0) });
  await becomes(plain, { status: 'failed' });
  await engine.db('orgs').update({ status: 'suspended' }); // by the freezer, as the next one
  await becomes(staged, { status: 'paused', pause_code: 'frozen' });
  await engine.db('orgs').update({ status: 'approved' });
  await engine.db('deployment_freezes').update({ thaws_at: engine.db.fn.now() });
  await becomes(staged, { status: 'pending' });
});
