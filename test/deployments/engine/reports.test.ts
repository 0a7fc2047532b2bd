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

test('reports of a robot that were set aside are not overtaken by later ones of the batch that is recorded meanwhile', async () => {
  await using scene = await handedOut(2, startIsolatedDeploymentWorld);
  const { it, id, robots } = scene;
  const [stuck, slow] = some(robots);
  // The first report fails with its batch, with its half and alone. What is recorded after that takes a second.
  await it.db.raw(`
    create sequence tries minvalue 0;
    create function hold_up() returns trigger language plpgsql as $$
    begin
      if new.robot_id = '${stuck.robotId}' and nextval('tries') < 3 then raise exception 'late' using errcode = '57014'; end if;
      if new.robot_id = '${slow.robotId}' and (select last_value from tries) >= 2 then perform pg_sleep(1); end if;
      return new;
    end $$;
    create trigger hold_up before update on targets for each row execute function hold_up()`);
  const done: string[] = [];
  const report = (robot: typeof stuck, status: string) =>
    new Promise((resolve) =>
      it.orderPort.report(robot, { orderId: robot.orderId, status }, (outcome) => {
        if (robot === stuck) done.push(status);
        resolve(outcome);
      }),
    );
  await Promise.all([report(stuck, 'downloading'), report(slow, 'downloading'), report(stuck, 'installing')]);
  expect(done).toEqual(['downloading', 'installing']);
  expect((await it.story(id)).filter((line) => / (downloading|installing)$/.test(line))).toEqual([
    'in_progress downloading',
    'in_progress downloading',
    'in_progress installing',
  ]);
});

test('while others hold a deployment, reports on it wait in their order, and reports on another one do not', async () => {
  await using scene = await handedOut(3, startIsolatedDeploymentWorld);
  const { it, id, robots } = scene;
  const [free] = some(await it.robots(1));
  const other = await it.deploy({ releaseId: (await it.release()).id }, { robot: free.robotId });
  await it.reaches(other, 'pending');
  const { orderId } = only(await it.handOut([free]), free);
  const holder = await it.db.transaction();
  let held: Promise<unknown[]>;
  try {
    await holder.raw('select from deployments where id = ? for no key update', [id]);
    held = Promise.all(
      robots.flatMap((robot) =>
        ['downloading', 'installing'].map((status) => it.report(robot, { orderId: robot.orderId, status })),
      ),
    );
    for (const status of ['downloading', 'installing', 'verifying']) {
      const startedMs = performance.now();
      expect(await it.report(free, { orderId, status })).toMatchObject({ kind: 'recorded' });
      expect(performance.now() - startedMs).toBeLessThan(5_000);
    }
    expect(await it.counts(id)).toMatchObject({ dispatched: 3 });
  } finally {
    await holder.rollback();
  }
  expect(await held).toMatchObject(Array(6).fill({ kind: 'recorded', ended: false }));
  expect((await it.story(id)).filter((line) => line.endsWith('downloading'))).toHaveLength(3);
  expect(await it.counts(id)).toMatchObject({ installing: 3 });
  await it.check();
});

test('reports on more targets than go into one transaction are recorded in several', async () => {
  await using it = await startDeploymentWorld();
  const robots = await it.robots(3);
  for (const key of ['a', 'b', 'c'])
    await it.reaches(await it.deploy({ configId: await it.config(key, 1) }, { fleet: it.fleetId }), 'pending');
  const orders = await it.handOut(robots);
  const log = createLogger('silent', [], () => undefined);
  const desk = createReportBatcher({ db: it.db, log, onRecorded: () => undefined, maxTargets: 6 });
  const report = (robot: LinkedRobot) =>
    new Promise((resolve) =>
      desk.report(robot, { orderId: only(orders, robot).orderId, status: 'installing' }, resolve),
    );
  expect(await Promise.all(robots.map(report))).toMatchObject(Array(3).fill({ kind: 'recorded' }));
  const { rows } = await it.db.raw<{ rows: object[] }>(
    `select status, count(*) as targets from targets where org_id = ? group by status, xmin::text order by targets`,
    [it.world.orgId],
  );
  expect(rows).toEqual([
    { status: 'installing', targets: 3 },
    { status: 'installing', targets: 6 },
  ]);
  await desk.close();
  await it.check();
});
