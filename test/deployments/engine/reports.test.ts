import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createReportBatcher } from '../../../src/deployments/engine/report-batcher.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { freePort } from '../../support/free-port.ts';
import { only, sha256, startDeploymentWorld, startIsolatedDeploymentWorld, type LinkedRobot, some } from './support.ts';

/** Some robots of one deployment, each with its order. */
async function handedOut(count: number, start = startDeploymentWorld) {
  const it = await start();
  const robots = await it.robots(count);
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  const orders = await it.handOut(robots);
  return {
    it,
    [Symbol.asyncDispose]: () => it[Symbol.asyncDispose](),
    id,
    release,
    robots: robots.map((robot) => ({ ...robot, orderId: only(orders, robot).orderId })) as [
      LinkedRobot & { orderId: string },
      ...(LinkedRobot & { orderId: string })[],
    ],
  };
}

test('a report of a link that was replaced changes nothing and is told so; the newer link goes on', async () => {
  await using scene = await handedOut(1);
  const { it, id, robots } = scene;
  const [robot] = robots;
  await it.db('robot_links').where({ robot_id: robot.robotId }).update({ epoch: 2 });
  expect(await it.report(robot, { orderId: robot.orderId, status: 'failed' })).toEqual({ kind: 'stale' });
  expect((await it.target(id, robot))?.status).toBe('dispatched');
  const newer = { ...robot, epoch: 2 };
  expect(await it.report(newer, { orderId: robot.orderId, status: 'failed' })).toMatchObject({
    kind: 'recorded',
    ended: true,
  });
  expect((await it.deployment(id)).status).toBe('failed');
});

test('an order that is unknown, of another robot, of another org or no id at all is over for whoever reports of it', async () => {
  await using scene = await handedOut(2);
  const { it, id, robots } = scene;
  const [one, other] = some(robots);
  for (const orderId of [randomUUID(), 'no id', other.orderId, '', "'; drop table orders"])
    expect(await it.report(one, { orderId, status: 'failed' })).toMatchObject({ kind: 'recorded', ended: true });
  // Together with a report of its own, and in either order, it does not shut that out.
  const both = [
    it.report(one, { orderId: other.orderId, status: 'failed' }),
    it.report(other, { orderId: other.orderId, status: 'installing' }),
    it.report(one, { orderId: other.orderId, status: 'failed' }),
  ];
  expect((await Promise.all(both)).map((each) => each.kind === 'recorded' && each.ended)).toEqual([true, false, true]);
  expect((await it.targets(id)).map(({ status }) => status).sort()).toEqual(['dispatched', 'installing']);
});

test('an applied without the right proof has failed, and does not count as what the robot runs', async () => {
  await using scene = await handedOut(2);
  const { it, id, robots } = scene;
  const [one, other] = some(robots);
  await it.report(one, { orderId: one.orderId, status: 'applied', digest: sha256('0'), message: 'all well' });
  await it.report(other, { orderId: other.orderId, status: 'applied' });
  for (const robot of [one, other])
    expect(await it.target(id, robot)).toMatchObject({ status: 'failed', reason: 'digest_mismatch' });
  expect(await it.world.count('robot_reports')).toBe(0);
  await it.check();
});

test('reports that come together are judged in their order, and what is repeated changes nothing', async () => {
  await using scene = await handedOut(1);
  const { it, id, robots, release } = scene;
  const [robot] = robots;
  const steps = ['downloading', 'downloading', 'verifying', 'installing', 'applied', 'failed', 'applied'];
  const outcomes = await Promise.all(
    steps.map((status) => it.report(robot, { orderId: robot.orderId, status, digest: release.sha256 })),
  );
  expect(outcomes.every((each) => each.kind === 'recorded')).toBe(true);
  expect((await it.story(id)).slice(3)).toEqual([
    'in_progress downloading',
    'in_progress verifying',
    'applied applied',
  ]);
  await it.check();
});

test('texts that Postgres cannot store, and messages without end, are kept as far as they can be', async () => {
  await using scene = await handedOut(3);
  const { it, id, robots } = scene;
  const [nul, half, long] = some(robots);
  const say = (robot: LinkedRobot & { orderId: string }, message: string, reason = 'r') =>
    it.report(robot, { orderId: robot.orderId, status: 'failed', message, reason });
  await Promise.all([
    say(nul, 'a\0b', 'x\0"\\{}'),
    say(half, 'a\ud800b😀', 'NULL'),
    say(long, 'é'.repeat(3_000), '😀'.repeat(100)),
  ]);
  expect(await it.target(id, nul)).toMatchObject({ message: 'a\ufffdb', reason: 'x\ufffd"\\{}' });
  expect(await it.target(id, half)).toMatchObject({ message: 'a\ufffdb😀', reason: 'NULL' });
  const kept = await it.target(id, long);
  expect(kept?.message).toBe('é'.repeat(2_048));
  expect(kept?.reason).toBe('😀'.repeat(64));
});

test('a reason or a message in which nothing can be seen is none', async () => {
  await using scene = await handedOut(2);
  const { it, id, robots } = scene;
  const [blank, ruled] = some(robots);
  await it.report(blank, { orderId: blank.orderId, status: 'failed', reason: ' \u00a0\n', message: '' });
  await it.report(ruled, { orderId: ruled.orderId, status: 'failed', reason: '\u001b\0\u200b', message: '\u001b[0m' });
  expect(await it.target(id, blank)).toMatchObject({ reason: null, message: null });
  expect(await it.target(id, ruled)).toMatchObject({ reason: null, message: '\u001b[0m' });
  const { items } = (await it.world.call('GET', `/api/deployments/${id}/targets`)).body;
  expect(items.filter((item: object) => 'reason' in item)).toEqual([]);
});

test('a report that breaks its batch fails alone', async () => {
  await using scene = await handedOut(9, startIsolatedDeploymentWorld);
  const { it, id, robots } = scene;
  // As if a row could not be written for a reason that nobody foresaw.
  await it.db.raw(`alter table deployment_events add check (message <> 'poison')`);
  const outcomes = await Promise.all(
    robots.map((robot, index) =>
      it.report(robot, { orderId: robot.orderId, status: 'installing', message: index === 4 ? 'poison' : 'fine' }),
    ),
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual([
    ...Array(4).fill('recorded'),
    'failed',
    ...Array(4).fill('recorded'),
  ]);
  expect(await it.counts(id)).toMatchObject({ dispatched: 1, installing: 8 });
  await it.check();
});

test('a proof of a robot that is removed at that moment does not hold up the others', async () => {
  await using scene = await handedOut(2);
  const { it, id, robots, release } = scene;
  const [gone, stays] = some(robots);
  await it.db('robots').where({ id: gone.robotId }).delete();
  const outcomes = await Promise.all(
    [gone, stays].map((robot) =>
      it.report(robot, { orderId: robot.orderId, status: 'applied', digest: release.sha256 }),
    ),
  );
  expect(outcomes).toMatchObject([{ kind: 'stale' }, { kind: 'recorded', ended: true }]);
  expect((await it.target(id, stays))?.status).toBe('applied');
});

test('reports that drip in are gathered also while others are being recorded, and none waits for the next one', async () => {
  await using scene = await handedOut(1);
  const { it, robots } = scene;
  const [robot] = robots;
  const batches: number[] = [];
  const log = createLogger('silent', [], () => undefined);
  const desk = createReportBatcher({ db: it.db, log, onRecorded: (reports) => void batches.push(reports) });
  const begunMs = performance.now();
  const outcomes: Promise<unknown>[] = [];
  for (let count = 0; count < 60; count += 1) {
    const report = { orderId: robot.orderId, status: 'downloading' };
    outcomes.push(new Promise((resolve) => desk.report(robot, report, resolve)));
    await pause(8);
  }
  expect(await Promise.all(outcomes)).toMatchObject(Array(60).fill({ kind: 'recorded', ended: false }));
  expect(batches.length).toBeLessThanOrEqual((performance.now() - begunMs) / 100 + 1);
  await desk.close();
});

test('while the database stays away reports fail after their wait, and agents keep them', async () => {
  await using scene = await handedOut(1);
  const { robots } = scene;
  const db = openDatabase(`postgres://nobody@127.0.0.1:${await freePort()}/nothing`);
  const lines: string[] = [];
  const log = createLogger('info', [], (line) => void lines.push(line));
  const desk = createReportBatcher({ db, log, onRecorded: () => undefined, waitMs: 100 });
  const report = { orderId: robots[0].orderId, status: 'downloading' };
  expect(await new Promise((resolve) => desk.report(robots[0], report, resolve))).toEqual({ kind: 'failed' });
  expect(lines.filter((line) => line.includes('reports wait for the database'))).toHaveLength(1);
  await desk.close();
  await db.destroy();
});

test('reports of one robot that meet a lock wait for it in their order, and hold up no other robot', async () => {
  await using scene = await handedOut(2, startIsolatedDeploymentWorld);
  const { it, id, robots } = scene;
  const [stuck, other] = some(robots);
  await it.db.raw(`
    create function refuse_stuck() returns trigger language plpgsql as $$
    begin
      if new.robot_id = '${stuck.robotId}' then raise exception 'locked' using errcode = '55P03'; end if;
      return new;
    end $$;
    create trigger stuck before update on targets for each row execute function refuse_stuck()`);
  const log = createLogger('silent', [], () => undefined);
  const desk = createReportBatcher({ db: it.db, log, onRecorded: () => undefined });
  const told: string[] = [];
  const report = (robot: typeof stuck, status: string) =>
    new Promise<unknown>((resolve) => {
      desk.report(robot, { orderId: robot.orderId, status }, (outcome) => {
        told.push(`${robot === stuck ? 'stuck' : 'other'} ${status}`);
        resolve(outcome);
      });
    });
  const first = report(stuck, 'downloading');
  const second = pause(300).then(() => report(stuck, 'installing'));
  expect(await report(other, 'downloading')).toMatchObject({ kind: 'recorded' });
  await pause(400);
  expect(await report(other, 'installing')).toMatchObject({ kind: 'recorded' });
  expect(told).toEqual(['other downloading', 'other installing']);
  await it.db.raw('drop trigger stuck on targets');
  expect(await Promise.all([first, second])).toMatchObject([{ kind: 'recorded' }, { kind: 'recorded' }]);
  expect(told.slice(2)).toEqual(['stuck downloading', 'stuck installing']);
  expect((await it.target(id, stuck))?.status).toBe('installing');
  await desk.close();
});
