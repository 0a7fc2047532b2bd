import type { Knex } from 'knex';
import { levelRank } from '../../../src/logs/model.ts';
import { logMover } from '../../../src/logs/objects/mover.ts';
import { logPartitions, makeLogPartitions } from '../../../src/logs/partitions.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { openObjectStore } from '../../../src/platform/s3/open.ts';
import type { ObjectStore } from '../../../src/platform/s3/object-store.ts';
import { bundle, startServer } from '../harness/child.ts';
import { measureLines } from '../harness/log-cost.ts';
import { logLine, recordTails, seedLinkedFleet } from '../harness/log-data.ts';
import { logHistory } from '../harness/log-history.ts';
import { median } from '../harness/pairing.ts';
import { limitLine, ratioLine, type Line, type Row, type RowContext } from '../harness/row.ts';

/** Each robot writes so many lines in two minutes, which are merged into a chunk. */
interface Load {
  name: string;
  robots: number;
  linesPerWindow: number;
}

const loads: readonly Load[] = [
  { name: 'a line per s', robots: 400, linesPerWindow: 120 },
  { name: 'a line per 5 s', robots: 4_000, linesPerWindow: 24 },
];
const windowMs = 120_000;
/** Half an hour: the small chunks of a robot are joined within ten minutes. */
const windows = 15;
const dayMs = 86_400_000;
const inPostgresGoal = 2;

interface Cost {
  cpuUs: number;
  walBytes: number;
  bytes: number;
}

/** For each line, once it is a chunk in Postgres, and once it is moved into the store. */
interface Sample {
  chunks: Cost;
  moved: Cost & { objectBytes: number };
}

/** Moving a day of merged log lines into an object store, against what merging costs and chunks take in Postgres. */
export const logObjectsRow: Row = {
  id: 'G5',
  work: 'moving log lines into an object store: CPU, bytes in Postgres and in the store',
  against: 'merging them into chunks in Postgres',
  async run(context) {
    await using sink = await startServer(await bundle('servers/object-sink.ts'), {});
    const store = await openObjectStore({
      bucket: 'logs',
      endpoint: sink.url,
      region: 'us-east-1',
      direct: undefined,
      credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
    });
    if (!store) throw new Error('no store');
    const lines: Line[] = [];
    for (const [index, load] of loads.entries())
      lines.push(...(await measure(context, store, index, { ...load, robots: context.requests(load.robots) })));
    return lines;
  },
};

async function measure(context: RowContext, store: ObjectStore, index: number, load: Load): Promise<Line[]> {
  const { url } = await context.database(`g5_${index}`);
  const fleet = await seedLinkedFleet(url, load.robots);
  const db = openDatabase(url);
  const samples: Sample[] = [];
  try {
    await makeLogPartitions(db);
    const history = await logHistory(db, fleet);
    for (let round = context.rounds(3); round > 0; round -= 1)
      samples.push(await moveDay(db, store, { ...load, ...fleet, history, startMs: dayBefore(round + 2) }));
  } finally {
    await db.destroy();
  }
  const against = (measure: string, ours: (sample: Sample) => number, peer: (sample: Sample) => number) =>
    ratioLine(
      `${load.name}: ${measure}`,
      samples.map((sample) => ({ ours: ours(sample), peer: peer(sample) })),
    );
  return [
    against(
      'CPU us/line',
      ({ moved }) => moved.cpuUs,
      ({ chunks }) => chunks.cpuUs,
    ),
    against(
      'WAL bytes/line',
      ({ moved }) => moved.walBytes,
      ({ chunks }) => chunks.walBytes,
    ),
    against(
      'bytes/line in the store',
      ({ moved }) => moved.objectBytes,
      ({ chunks }) => chunks.bytes,
    ),
    limitLine(
      `${load.name}: bytes/line left in Postgres`,
      median(samples.map(({ moved }) => moved.bytes)),
      inPostgresGoal,
    ),
  ];
}

const dayBefore = (days: number): number => (Math.floor(Date.now() / dayMs) - days) * dayMs;

interface Day extends Load {
  orgId: string;
  robotIds: readonly string[];
  history: Awaited<ReturnType<typeof logHistory>>;
  startMs: number;
}

async function moveDay(db: Knex, store: ObjectStore, { startMs, ...day }: Day): Promise<Sample> {
  const count = day.robots * day.linesPerWindow * windows;
  const texts = recordTails(10_000).map(logLine);
  const merged: Omit<Cost, 'bytes'>[] = [];
  for (let window = 0; window < windows; window += 1) {
    for (let step = 0; step < day.linesPerWindow; step += 1)
      await day.history.add(
        startMs + window * windowMs + (step * windowMs) / day.linesPerWindow,
        day.robotIds.map((robotId, index) => ({
          robotId,
          text: texts[(index * 31 + window * 977 + step * 7) % texts.length] ?? '',
          maxLevel: levelRank('warn'),
        })),
      );
    merged.push(await measureLines(db, count, () => day.history.merge()));
  }
  const total = (figure: 'cpuUs' | 'walBytes') => merged.reduce((sum, each) => sum + each[figure], 0);
  const bytes = (await sizeOf(db, [logPartitions(db).nameOf(startMs)])) / count;
  const indexTables = ['log_objects', 'log_object_blocks'];
  const before = await sizeOf(db, indexTables);
  const moving = await measureLines(db, count, async () => {
    const { signal } = new AbortController();
    await logMover({ db, store, log: createLogger('silent', []), replicaId: day.orgId, signal }).move();
  });
  const stored = await db('log_objects')
    .where({ day: new Date(startMs), state: 'stored' })
    .sum({ bytes: 'bytes', records: 'records' })
    .first<{ bytes: string; records: string }>();
  if (Number(stored.records) !== count) throw new Error(`${stored.records} of ${count} lines were moved`);
  return {
    chunks: { cpuUs: total('cpuUs'), walBytes: total('walBytes'), bytes },
    moved: {
      cpuUs: moving.cpuUs,
      walBytes: moving.walBytes,
      bytes: ((await sizeOf(db, indexTables)) - before) / count,
      objectBytes: Number(stored.bytes) / count,
    },
  };
}

async function sizeOf(db: Knex, tables: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const table of tables) {
    const { rows } = await db.raw<{ rows: [{ size: string }] }>('select pg_total_relation_size(?::regclass) as size', [
      table,
    ]);
    bytes += Number(rows[0].size);
  }
  return bytes;
}
