import pg from 'pg';
import type { Knex } from 'knex';
import { createLogIngest, type LogOutcome } from '../../../src/logs/service.ts';
import type { Logs } from '../../../generated/frames.d.ts';
import { makeLogPartitions } from '../../../src/logs/partitions.ts';
import { segmentMerging } from '../../../src/logs/segments/merging.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { frameTexts, seedLinkedFleet, type LinkedFleet } from '../harness/log-data.ts';
import { pair, pick, summarise, type Round } from '../harness/pairing.ts';
import { usageOf } from '../harness/proc.ts';
import { ratioLine, type Line, type Row, type RowContext } from '../harness/row.ts';
import { rowPipeline, rowTable } from '../peers/log-rows.ts';

/**
 * One load: so many agents send so many frames of so many lines. `seconds`: a frame of every agent is a second's worth, and so many of them are
 * gathered before they are stored, as the ingest does by the clock; undefined: as fast as it goes.
 */
interface Load {
  agents: number;
  frames: number;
  lines: number;
  seconds?: number;
}

interface Sample {
  linesPerSecond: number;
  cpuUsPerLine: number; // this process and Postgres together
  bytesPerLine: number;
}

const busy: Load = { agents: 100, frames: 100, lines: 20 };
const quiet: Load = { agents: 5_000, frames: 30, lines: 1, seconds: 1 };
const maxUnderWay = 2_000;

/** Log lines from the text of their frames to the commit, against a row a line. */
export const logLinesRow: Row = {
  id: 'G1',
  work: 'log lines from frame to commit: 100 busy agents, 5,000 quiet ones',
  against: 'a row a line by UNNEST',
  async run(context) {
    return [...(await compare(context, 'busy', busy)), ...(await compare(context, 'quiet', quiet))];
  },
};

async function compare(context: RowContext, name: string, load: Load): Promise<Line[]> {
  const { url } = await context.database(`g1_${name}`);
  const fleet = await seedLinkedFleet(url, load.agents);
  const frames = frameTexts({ ...load, frames: context.requests(load.frames) });
  const lines = frames.length * load.lines;
  const db = openDatabase(url);
  await db.raw(rowTable);
  await makeLogPartitions(db);
  try {
    const rounds = await pair<Sample>({
      rounds: context.rounds(5),
      ours: () => storeSegments(db, fleet, frames, load),
      peer: () => storeRows(url, db, fleet, frames, load),
    });
    const merged = await mergeAll(db, lines);
    const withMerging = rounds.map(({ ours, peer }) => ({
      ours: { ...ours, cpuUsPerLine: ours.cpuUsPerLine + merged.cpuUsPerLine, bytesPerLine: merged.bytesPerLine },
      peer,
    }));
    return [
      atLeast(
        `${name}: lines/s`,
        pick(rounds, (sample) => sample.linesPerSecond),
        1.8,
      ),
      ratioLine(
        `${name}: CPU us/line`,
        pick(rounds, (sample) => sample.cpuUsPerLine),
        0.45,
      ),
      ratioLine(
        `${name}: CPU us/line with merging`,
        pick(withMerging, (sample) => sample.cpuUsPerLine),
      ),
      ratioLine(
        `${name}: bytes/line before merging`,
        pick(rounds, (sample) => sample.bytesPerLine),
      ),
      ratioLine(
        `${name}: bytes/line`,
        pick(withMerging, (sample) => sample.bytesPerLine),
        0.4,
      ),
    ];
  } finally {
    await db.destroy();
  }
}

function atLeast(measure: string, rounds: readonly Round<number>[], goal: number): Line {
  const { ours, peer, ratio, spread } = summarise(rounds);
  return { measure, ours, peer, ratio, spread, goal: { text: `>= ${goal.toFixed(2)}x`, met: ratio >= goal } };
}

async function storeSegments(
  db: Knex,
  { orgId, robotIds }: LinkedFleet,
  frames: string[],
  { agents, lines, seconds }: Load,
) {
  await db.raw('truncate log_segments, log_chunks, log_heads, log_counters, log_stats, log_stats_by_fleet');
  const ingest = createLogIngest({ db, log: createLogger('silent', []) });
  const sample = await measure(db, frames.length * lines, async () => {
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
      if (seconds === undefined ? underWay >= maxUnderWay : isRound && (Math.floor(index / agents) + 1) % seconds === 0)
        await ingest.flush();
      else if (isRound) await new Promise(setImmediate); // as sockets would give way
    }
    await ingest.flush();
  });
  return { ...sample, bytesPerLine: (await sizeOf(db, 'log_segments')) / (frames.length * lines) };
}

async function storeRows(
  url: string,
  db: Knex,
  fleet: LinkedFleet,
  frames: string[],
  { agents, lines, seconds }: Load,
) {
  await db.raw('truncate log_rows');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const rows = rowPipeline(client, fleet.orgId, fleet.fleetId);
    const sample = await measure(db, frames.length * lines, async () => {
      for (const [index, text] of frames.entries()) {
        await rows.accept(fleet.robotIds[index % agents] ?? '', text);
        if (seconds !== undefined && index % agents === agents - 1) await rows.flush();
      }
      await rows.flush();
    });
    return { ...sample, bytesPerLine: (await sizeOf(db, 'log_rows')) / (frames.length * lines) };
  } finally {
    await client.end();
  }
}

/** Merges what the last round stored, and takes the size without the room that was left free. */
async function mergeAll(db: Knex, lines: number): Promise<Omit<Sample, 'linesPerSecond'>> {
  const merging = segmentMerging(db, { log: createLogger('silent', []), onLost: () => undefined });
  const { cpuUsPerLine } = await measure(db, lines, () => merging.run(true));
  await db.raw('vacuum full log_chunks');
  return { cpuUsPerLine, bytesPerLine: (await sizeOf(db, 'log_chunks')) / lines };
}

/** User and system time of this process and of every process of Postgres that is there before and after. */
async function measure(db: Knex, lines: number, work: () => Promise<void>): Promise<Omit<Sample, 'bytesPerLine'>> {
  const { rows } = await db.raw<{ rows: { pid: number }[] }>('select pid from pg_stat_activity');
  const used = async () => {
    const usages = await Promise.all(
      rows.map(({ pid }) =>
        usageOf(pid).then(
          ({ cpuMs }) => cpuMs,
          () => 0,
        ),
      ),
    );
    const own = process.cpuUsage();
    return usages.reduce((total, ms) => total + ms, (own.user + own.system) / 1_000);
  };
  const before = await used();
  const startedAt = performance.now();
  await work();
  const wallMs = performance.now() - startedAt;
  const cpuMs = (await used()) - before;
  return { linesPerSecond: (lines * 1_000) / wallMs, cpuUsPerLine: (cpuMs * 1_000) / lines };
}

async function sizeOf(db: Knex, table: string): Promise<number> {
  const { rows } = await db.raw<{ rows: [{ size: string }] }>(
    `select sum(pg_total_relation_size(inhrelid))::bigint as size from pg_inherits where inhparent = ?::regclass`,
    [table],
  );
  return Number(rows[0].size);
}
