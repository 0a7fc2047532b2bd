import pg from 'pg';
import type { Knex } from 'knex';
import { createLogIngest, type LogOutcome } from '../../../src/logs/service.ts';
import type { Logs } from '../../../generated/frames.d.ts';
import { makeLogPartitions } from '../../../src/logs/partitions.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { frameTexts, seedLinkedFleet, type LinkedFleet } from '../harness/log-data.ts';
import { clearLogs, measureLines, measureMerging, sizesOf, sum, type Cost } from '../harness/log-cost.ts';
import { median, pair, pick } from '../harness/pairing.ts';
import { atLeastLine, limitLine, ratioLine, type Line, type Row, type RowContext } from '../harness/row.ts';
import { rowPipeline, rowTable } from '../peers/log-rows.ts';

/** One load: so many agents send so many frames of so many lines. */
interface Load {
  name: string;
  agents: number;
  frames: number;
  lines: number;
  /** Whether a frame of every agent is a second's worth, and is stored as the ingest does by the clock; else it goes as fast as it can. */
  isPaced?: true;
  goals: { linesPerSecond: number; cpu: number; cpuWithMerging?: number };
}

interface Sample {
  linesPerSecond: number;
  stored: Cost;
  /** Of merging what was stored, and of its share of adding counts to hours and days. */
  merged?: Cost;
}

const wholeOf = ({ stored, merged }: Sample): Cost => (merged ? sum(stored, merged) : stored);

const loads: readonly Load[] = [
  { name: 'busy', agents: 100, frames: 100, lines: 20, goals: { linesPerSecond: 5, cpu: 0.25 } },
  {
    name: 'quiet, 30 lines a chunk',
    agents: 5_000,
    frames: 30,
    lines: 1,
    isPaced: true,
    goals: { linesPerSecond: 2.5, cpu: 0.4, cpuWithMerging: 0.75 },
  },
  {
    name: 'quiet, 120 lines a chunk',
    agents: 5_000,
    frames: 120,
    lines: 1,
    isPaced: true,
    goals: { linesPerSecond: 2.5, cpu: 0.4, cpuWithMerging: 0.6 },
  },
];
const bytesGoal = 0.2;
const writtenGoal = 2;
const maxUnderWay = 2_000;

/** Log lines from the text of their frames to the commit, and on to merged chunks, against a row a line. */
export const logLinesRow: Row = {
  id: 'G1',
  work: 'log lines from frame to commit, and merged: 100 busy agents, 5,000 quiet ones',
  against: 'a row a line by UNNEST',
  async run(context) {
    const lines: Line[] = [];
    for (const [index, load] of loads.entries())
      lines.push(...(await compare(context, index, { ...load, agents: context.requests(load.agents) })));
    return lines;
  },
};

async function compare(context: RowContext, index: number, load: Load): Promise<Line[]> {
  const { name, goals } = load;
  const { url } = await context.database(`g1_${index}`);
  const fleet = await seedLinkedFleet(url, load.agents);
  const frames = frameTexts(load);
  const db = openDatabase(url);
  await db.raw(rowTable);
  await makeLogPartitions(db);
  try {
    const rounds = await pair<Sample>({
      rounds: context.rounds(3),
      ours: () => storeSegments(db, fleet, frames, load),
      peer: () => storeRows(url, db, fleet, frames, load),
    });
    const ratio = (measure: string, figure: (sample: Sample) => number, goal?: number) =>
      ratioLine(`${name}: ${measure}`, pick(rounds, figure), goal);
    /** What is written in all, to what storing alone writes. */
    const written = (measure: string, figure: keyof Cost, goal?: number) => {
      const ratios = rounds.map(({ ours }) => wholeOf(ours)[figure] / ours.stored[figure]);
      return limitLine(`${name}: ${measure}, to those of storing`, median(ratios), goal);
    };
    const lineRates = pick(rounds, ({ linesPerSecond }) => linesPerSecond);
    return [
      atLeastLine(`${name}: lines/s`, lineRates, goals.linesPerSecond),
      ratio('CPU us/line', ({ stored }) => stored.cpuUs, goals.cpu),
      ratio('CPU us/line with merging', (sample) => wholeOf(sample).cpuUs, goals.cpuWithMerging),
      ratio('bytes/line before merging', ({ stored }) => stored.bytes, bytesGoal),
      ratio('bytes/line', ({ stored, merged = stored }) => merged.bytes, bytesGoal),
      ratio('WAL bytes/line', ({ stored }) => stored.walBytes),
      ratio('WAL bytes/line with merging', (sample) => wholeOf(sample).walBytes),
      written('bytes of bodies', 'bodyBytes', writtenGoal),
      written('bytes of tables', 'bytes'),
      written('bytes of WAL', 'walBytes'),
    ];
  } finally {
    await db.destroy();
  }
}

async function storeSegments(
  db: Knex,
  { orgId, robotIds }: LinkedFleet,
  frames: string[],
  { agents, lines, isPaced }: Load,
): Promise<Sample> {
  await clearLogs(db);
  const log = createLogger('silent', []);
  const count = frames.length * lines;
  const ingest = createLogIngest({ db, log });
  const { linesPerSecond, ...storing } = await measureLines(db, count, async () => {
    let underWay = 0;
    const done = ({ kind }: LogOutcome) => {
      if (kind !== 'stored') throw new Error(`log lines were ${kind}`);
      underWay -= 1;
    };
    for (const [index, text] of frames.entries()) {
      underWay += 1;
      const robotId = robotIds[index % agents] ?? '';
      ingest.accept({ orgId, robotId, epoch: 1 }, ingest.scan(text) ?? (JSON.parse(text) as Logs), done);
      const isRound = index % agents === agents - 1;
      if (isPaced ? isRound : underWay >= maxUnderWay) await ingest.flush();
      else if (isRound) await new Promise(setImmediate); // as sockets would give way
    }
    await ingest.flush();
  });
  const stored = { ...storing, ...(await sizesOf(db, 'log_segments', count)) };
  const merging = await measureMerging(db, { lines: count, framesPerAgent: frames.length / agents });
  return {
    linesPerSecond,
    stored,
    merged: { ...merging, ...(await sizesOf(db, 'log_chunks', count)) },
  };
}

async function storeRows(
  url: string,
  db: Knex,
  fleet: LinkedFleet,
  frames: string[],
  { agents, lines, isPaced }: Load,
): Promise<Sample> {
  await db.raw('truncate log_rows');
  const count = frames.length * lines;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const rows = rowPipeline(client, fleet.orgId, fleet.fleetId);
    const { linesPerSecond, ...storing } = await measureLines(db, count, async () => {
      for (const [index, text] of frames.entries()) {
        await rows.accept(fleet.robotIds[index % agents] ?? '', text);
        if (isPaced && index % agents === agents - 1) await rows.flush();
      }
      await rows.flush();
    });
    return { linesPerSecond, stored: { ...storing, ...(await sizesOf(db, 'log_rows', count)) } };
  } finally {
    await client.end();
  }
}
