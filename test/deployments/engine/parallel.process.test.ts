import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { abandonRobot, createDeploymentEngine } from '../../../src/deployments/api/service.ts';
import { createBus } from '../../../src/platform/bus/create-bus.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { retryOnConflict } from '../../../src/platform/db/retry-on-conflict.ts';
import { inTransaction } from '../../../src/platform/db/transaction.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { startPostgresProxy } from '../../support/postgres-proxy.ts';
import { addressOf } from '../../support/world.ts';
import { cancel, only, startIsolatedDeploymentWorld, type DeploymentWorld, type LinkedRobot, some } from './support.ts';

const replica = fileURLToPath(new URL('replica.ts', import.meta.url));

/** A process that plays robots of the database: hands out to them and reports for them, as their replica would. */
async function startReplica(it: DeploymentWorld, seed: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', replica, addressOf(it.world), String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

test('two processes that hand out, report, cancel, sweep and remove robots at once come to no deadlock and lose no count', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const robots = await it.robots(60);
  const ids: string[] = [];
  const keys: string[] = [];
  for (const key of ['a', 'b', 'c']) keys.push(await it.config(key, 1));
  const replicas = await Promise.all([startReplica(it, 1), startReplica(it, 2)]);
  try {
    for (let round = 0; round < 8; round += 1) {
      const release = await it.release(round % 2 === 0 ? 'file' : 'script');
      ids.push(await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }));
      for (const configId of keys) ids.push(await it.deploy({ configId }, { fleet: it.fleetId }));
      const { orgId, robotId } = robots[round] as LinkedRobot;
      await Promise.all([
        ...ids.slice(-3 - (round % 2), -1).map((id) => cancel(it, id)),
        // As the API runs it.
        retryOnConflict(() =>
          inTransaction(it.db, async (trx) => {
            const hints = await abandonRobot(trx, orgId, robotId);
            await trx('robots').where({ id: robotId }).delete();
            return { result: undefined, ...it.world.bus.announcing(trx, hints) };
          }),
        ),
      ]);
    }
    await expect
      .poll(async () => it.db('deployments').whereNull('ended_at').select('id', 'status'), {
        timeout: 30_000, // not until what is left over is looked for
        interval: 200,
      })
      .toEqual([]);
  } finally {
    await Promise.all(replicas.map((child) => end(child, 'SIGTERM')));
  }
  const { rows } = await it.db.raw<{ rows: [{ deadlocks: number }] }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  expect(rows[0].deadlocks).toBe(0);
  // On a slow machine a lock may be held for the 2 s after which its waiter begins again.
  const faults = it.world.lines.filter((line) => /could not|without the lock/.test(line) && !line.includes('55P03'));
  expect(faults.join('\n')).toBe('');
  await it.check();
});

test('a replica that is killed at any moment leaves nothing half done, and another one brings it to its end', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await it.robots(40);
  for (let round = 0; round < 3; round += 1) {
    const release = await it.release();
    const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
    const killed = await startReplica(it, round);
    await expect.poll(async () => (await it.counts(id))['waiting'], { interval: 5 }).toBeLessThan(40);
    await new Promise((resolve) => setTimeout(resolve, 40 * round)); // another moment each time
    await end(killed, 'SIGKILL');
    await it.check();
    const other = await startReplica(it, round + 10);
    await expect
      .poll(async () => it.db('deployments').whereNull('ended_at').select('id', 'status'), {
        timeout: 30_000,
        interval: 100,
      })
      .toEqual([]);
    await end(other, 'SIGTERM');
    await it.check();
  }
});

test('a report whose reply of the database is lost is recorded again and makes one event', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await using proxy = await startPostgresProxy(it.world.connection);
  const db = openDatabase(proxy.connection);
  const log = createLogger('debug', [], (line) => void it.world.lines.push(line));
  const bus = createBus({ connection: it.world.connection, log });
  const engine = createDeploymentEngine({ db, bus, log });
  const [robot] = some(await it.robots(1));
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  const { orderId } = only(await it.handOut([robot], engine.orderPort), robot);
  const applied = { orderId, status: 'applied', digest: release.sha256 };
  // Each connection is cut at the next reply of the database, whatever it is.
  proxy.mode = 'cut';
  const outcome = it.report(robot, applied, engine.orderPort);
  await expect.poll(() => proxy.cuts).toBeGreaterThan(2);
  proxy.mode = 'pass';
  expect(await outcome).toMatchObject({ kind: 'recorded', ended: true });
  expect(await it.report(robot, applied, engine.orderPort)).toMatchObject({ kind: 'recorded', ended: true });
  expect((await it.story(id)).filter((line) => line.endsWith(' applied'))).toEqual(['applied applied']);
  expect((await it.deployment(id)).status).toBe('applied');
  await it.check();
  await engine.stop();
  await bus.close();
  await db.destroy();
});

test('a stopped engine has recorded what was reported before, and refuses what comes after', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const robots = await it.robots(30);
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  const log = createLogger('debug', [], (line) => void it.world.lines.push(line));
  const engine = createDeploymentEngine({ db: it.db, bus: it.world.bus, log });
  const orders = await it.handOut(robots);
  const before = robots.map((robot) =>
    it.report(robot, { orderId: only(orders, robot).orderId, status: 'installing' }, engine.orderPort),
  );
  await engine.stop();
  expect(new Set((await Promise.all(before)).map(({ kind }) => kind))).toEqual(new Set(['recorded']));
  expect(await it.counts(id)).toMatchObject({ installing: 30 });
  const [robot] = some(robots);
  expect(await it.report(robot, { orderId: only(orders, robot).orderId, status: 'failed' }, engine.orderPort)).toEqual({
    kind: 'failed',
  });
});

test('reports go on being recorded whenever they come, also in the moment in which the batch before them is done', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const robots = await it.robots(1_200);
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  const orders = await it.handOut(robots);
  for (const status of ['downloading', 'installing', 'applied'])
    await Promise.all(
      robots.map((robot) => it.report(robot, { orderId: only(orders, robot).orderId, status, digest: release.sha256 })),
    );
  expect((await it.deployment(id)).status).toBe('applied');
  await it.check();
});
