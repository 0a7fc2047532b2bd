import { expect, test } from 'vitest';
import { seriesNames } from '../../src/robot-metrics/model.ts';
import { startMetrics } from './support.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
const everything = { since: undefined, until: undefined, resolution: undefined, series: seriesNames };
/** Some time ago: rollups of today would lie in days that have no partition yet. */
const today = () => new Date(Date.now() - (Date.now() % hourMs));

const cpuOf = (percent: number) => ({ cpu: { percent } });

test('a robot that sends snapshots all the time has one sample per 30 s, which a stop writes', async () => {
  await using metrics = await startMetrics(today());
  const { clock, robot, service } = metrics;
  const replica = metrics.replica();
  const startMs = clock.ms;
  for (let at = 0; at < 600; at += 1) {
    clock.ms = startMs + at * 500;
    replica.take(robot, cpuOf(at % 100));
  }
  await replica.stop();
  clock.ms += 500;
  const { resolution, series } = await service.read(robot.orgId, robot.robotId, {
    ...everything,
    since: new Date(startMs),
  });
  expect(resolution).toBe('raw');
  expect(series.map(({ name }) => name)).toEqual(['cpu']); // what the robot does not measure is absent
  expect(series[0]?.values).toEqual([0, 60, 20, 80, 40, 0, 60, 20, 80, 40]);
});

test('samples that two replicas took of one robot complement each other, and a gap stays one', async () => {
  await using metrics = await startMetrics(today());
  const { clock, robot, service } = metrics;
  const [first, second] = [metrics.replica(), metrics.replica()];
  const startMs = clock.ms;
  first.take(robot, cpuOf(1));
  clock.ms += minuteMs / 2;
  second.take(robot, cpuOf(2));
  clock.ms += minuteMs;
  first.take(robot, cpuOf(3));
  await first.stop();
  await second.stop();
  clock.ms += minuteMs / 2;
  const { series } = await service.read(robot.orgId, robot.robotId, { ...everything, since: new Date(startMs) });
  expect(series[0]?.values).toEqual([1, 2, undefined, 3]);
});

test('rollups are what the samples of five minutes say, before and after the samples are dropped', async () => {
  const dayMs = 24 * hourMs;
  await using metrics = await startMetrics(new Date(Date.now() - (Date.now() % dayMs)));
  const { clock, robot, service, upkeep, world } = metrics;
  const startMs = clock.ms;
  await world.db('robot_metric_progress').insert({ span_at: new Date(startMs) });
  const replica = metrics.replica();
  for (let at = 0; at < 480; at += 1) {
    clock.ms = startMs + (at * minuteMs) / 2;
    replica.take(robot, cpuOf(at % 10));
  }
  await replica.stop();
  clock.ms = startMs + 4 * hourMs;
  const read = () =>
    service.read(robot.orgId, robot.robotId, { ...everything, since: new Date(startMs), resolution: '5m' });
  const before = await read();
  expect(before.series[0]?.values).toEqual(new Array(48).fill(4.5));
  expect(before.series[0]?.min).toEqual(new Array(48).fill(0));
  expect(before.series[0]?.max).toEqual(new Array(48).fill(9));
  await upkeep.run();
  expect(await world.count('robot_metric_rollups')).toBe(0); // blocks may still be on their way
  clock.ms = startMs + 6 * hourMs;
  await Promise.all([upkeep.run(), upkeep.run()]);
  expect(await world.count('robot_metric_rollups')).toBe(1);
  await world.db('robot_metric_blocks').delete();
  clock.ms = startMs + 4 * hourMs;
  expect(await read()).toEqual(before);
});

test('a missing day is created, and a database that refuses loses nothing', async () => {
  await using metrics = await startMetrics(today());
  const { clock, robot, service, world } = metrics;
  await world.db.raw('alter table robot_metric_blocks rename to gone');
  const replica = metrics.replica();
  const startMs = clock.ms;
  replica.take(robot, cpuOf(7));
  const stopped = replica.stop();
  await stopped;
  await world.db.raw('alter table gone rename to robot_metric_blocks');
  const next = metrics.replica();
  clock.ms += minuteMs;
  next.take(robot, cpuOf(8));
  await next.stop(); // no day has a partition yet: maintenance of this world does not run
  clock.ms += minuteMs;
  const { series } = await service.read(robot.orgId, robot.robotId, { ...everything, since: new Date(startMs) });
  expect(series[0]?.values.at(2)).toBe(8);
});

test('days of samples and rollups are dropped when they are old', async () => {
  await using metrics = await startMetrics(today());
  const { world, upkeep } = metrics;
  await upkeep.run();
  const days = async (table: string) =>
    (await world.db.raw(`select count(*)::int as days from pg_inherits where inhparent = '${table}'::regclass`)).rows[0]
      .days as number;
  expect([await days('robot_metric_blocks'), await days('robot_metric_rollups')]).toEqual([3, 3]);
  await world.db.raw(`
    create table robot_metric_blocks_2020_01_01 partition of robot_metric_blocks for values from ('2020-01-01') to ('2020-01-02');
    create table robot_metric_rollups_2020_01_01 partition of robot_metric_rollups for values from ('2020-01-01') to ('2020-01-02')`);
  await upkeep.run();
  expect([await days('robot_metric_blocks'), await days('robot_metric_rollups')]).toEqual([3, 3]);
});
