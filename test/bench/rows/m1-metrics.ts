import type { Knex } from 'knex';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { timePartitions } from '../../../src/platform/db/time-partitions.ts';
import {
  blockMs,
  bucketsPerSpan,
  dayMs,
  samplesPerBlock,
  spanMs,
  type Row as Values,
} from '../../../src/robot-metrics/model.ts';
import { bucketsOf } from '../../../src/robot-metrics/history.ts';
import { packBuckets, packSamples } from '../../../src/robot-metrics/packing.ts';
import { metricService } from '../../../src/robot-metrics/service.ts';
import { metricStore, type PackedRow } from '../../../src/robot-metrics/store.ts';
import { seedFleet } from '../harness/fleet-data.ts';
import { median } from '../harness/pairing.ts';
import { limitLine, type Row } from '../harness/row.ts';

const robots = 1_000;
const calls = 100;
const rowsAtOnce = 500;

/** Six series that change as those of a working robot do: CPU and delay jump, the others drift. */
function samples(robot: number, block: number): Values[] {
  const noise = (at: number, salt: number) =>
    Math.abs(Math.sin((robot * 7_919 + block * 104_729 + at * 31 + salt) * 12.9898) * 43_758.5453) % 1;
  const row = (value: (at: number) => number) =>
    Array.from({ length: samplesPerBlock }, (_each, at) => Math.round(value(at) * 10) / 10);
  return [
    row((at) => 95 - ((block * samplesPerBlock + at) % 900) / 10),
    row((at) => 20 + 60 * noise(at, 1)),
    row((at) => 40 + 5 * noise(at, 2)),
    row(() => 70 + (block % 50) / 10),
    row((at) => 50 + 4 * noise(at, 3)),
    row((at) => Math.round(15 + 40 * noise(at, 4))),
  ];
}

/** A day of samples and rollups of each robot, in the order in which they arrive: all robots, block by block. */
async function seedDay(db: Knex, orgId: string, robotIds: readonly string[], startMs: number): Promise<void> {
  const store = metricStore(db);
  const write = async (rows: readonly PackedRow[], insert: (some: readonly PackedRow[]) => Promise<void>) => {
    for (let at = 0; at < rows.length; at += rowsAtOnce) await insert(rows.slice(at, at + rowsAtOnce));
  };
  const rowsOf = (startedAt: Date, bodyOf: (robot: number) => Buffer): PackedRow[] =>
    robotIds.map((robotId, robot) => ({ orgId, robotId, startedAt, body: bodyOf(robot) }));
  for (let block = 0; block < dayMs / blockMs; block += 1)
    await write(
      rowsOf(new Date(startMs + block * blockMs), (robot) => packSamples(samples(robot, block))),
      store.insertBlocks,
    );
  const perSpan = spanMs / blockMs;
  for (let span = 0; span < dayMs / spanMs; span += 1) {
    const fromMs = startMs + span * spanMs;
    const bodyOf = (robot: number) => {
      const blocks = Array.from({ length: perSpan }, (_each, index) => ({
        orgId,
        robotId: '',
        startedAt: new Date(fromMs + index * blockMs),
        body: packSamples(samples(robot, span * perSpan + index)),
      }));
      return packBuckets(bucketsOf(fromMs, bucketsPerSpan, blocks));
    };
    await write(rowsOf(new Date(fromMs), bodyOf), store.insertRollups);
  }
}

async function bytesOf(db: Knex, table: string): Promise<number> {
  const { rows } = await db.raw<{ rows: [{ bytes: string }] }>(
    `select sum(pg_total_relation_size(inhrelid))::text as bytes from pg_inherits where inhparent = ?::regclass`,
    [table],
  );
  return Number(rows[0].bytes);
}

/** What the history of a robot takes on disk, and how long reading a day of it takes. */
export const metricsRow: Row = {
  id: 'M1',
  work: 'a day of metrics of 1,000 robots on disk, indexes included; reading the day of one',
  against: 'a limit',
  async run(context) {
    const { url } = await context.database('m1');
    const { orgId, robotIds } = await seedFleet(url, robots);
    const db = openDatabase(url);
    try {
      const today = Date.now() - (Date.now() % dayMs);
      for (const table of ['robot_metric_blocks', 'robot_metric_rollups'])
        await timePartitions(db, table).make([today - 2 * dayMs, today - dayMs, today]);
      await seedDay(db, orgId, robotIds, today - dayMs);
      await db.raw('vacuum analyze robot_metric_blocks, robot_metric_rollups');
      const perRobot = async (table: string) => (await bytesOf(db, table)) / robots / 1_024;
      const [blocks, rollups] = [await perRobot('robot_metric_blocks'), await perRobot('robot_metric_rollups')];
      const service = metricService(db, () => today);
      const timesOf = async (resolution: 'raw' | '5m') => {
        const times: number[] = [];
        for (let call = 0; call < calls; call += 1) {
          const robotId = robotIds[(call * 37) % robots] ?? '';
          const startedAt = performance.now();
          const { series } = await service.read(orgId, robotId, {
            since: undefined,
            until: undefined,
            resolution,
            series: ['battery', 'cpu', 'memory', 'disk', 'temperature', 'delay'],
          });
          times.push(performance.now() - startedAt);
          if (series.length !== 6) throw new Error(`${series.length} series of 6`);
        }
        return times.slice(calls / 4).sort((one, other) => one - other); // the first are for the caches
      };
      const [raw, buckets] = [await timesOf('raw'), await timesOf('5m')];
      const p95 = (times: readonly number[]) => times[Math.floor(times.length * 0.95)] ?? 0;
      return [
        limitLine('KiB per robot and day', blocks + rollups, 60),
        limitLine('KiB of samples', blocks),
        limitLine('KiB of rollups', rollups),
        limitLine('ms, a day of samples, median', median(raw)),
        limitLine('ms, a day of samples, p95', p95(raw), 20),
        limitLine('ms, a day of five minutes, p95', p95(buckets), 20),
      ];
    } finally {
      await db.destroy();
    }
  },
};
