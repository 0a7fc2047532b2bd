import type { Logs } from '../../../generated/frames.d.ts';
import { makeLogPartitions } from '../../../src/logs/partitions.ts';
import { segmentMerging } from '../../../src/logs/segments/merging.ts';
import { createLogIngest } from '../../../src/logs/service.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { measureLines } from '../harness/log-cost.ts';
import { frameTexts, seedLinkedFleet } from '../harness/log-data.ts';
import type { Curve } from './curve.ts';

const agents = 100;
const linesPerFrame = 20;
/** Frames of each agent: 10,000 to 1,000,000 lines. */
const rounds = [5, 15, 50, 150, 500];
const maxUnderWay = 2_000;

/** Lines of 100 busy agents, from the text of their frames to the commit, and merged. */
export const logLinesCurve: Curve = {
  id: 'log-lines',
  async run(create) {
    const { url } = await create('log_lines');
    const { orgId, robotIds } = await seedLinkedFleet(url, agents);
    const db = openDatabase(url);
    await makeLogPartitions(db);
    const log = createLogger('silent', []);
    const store = async (frames: readonly string[]) => {
      const ingest = createLogIngest({ db, log });
      let underWay = 0;
      for (const [index, frame] of frames.entries()) {
        underWay += 1;
        const from = { orgId, robotId: robotIds[index % agents] ?? '', epoch: 1 };
        ingest.accept(from, ingest.scan(frame) ?? (JSON.parse(frame) as Logs), () => (underWay -= 1));
        if (underWay >= maxUnderWay) await ingest.flush();
        else if (index % agents === 0) await new Promise(setImmediate); // as sockets would give way
      }
      await ingest.flush();
    };
    const [stored, merged]: [number, number][][] = [[], []];
    try {
      for (const count of rounds) {
        await db.raw('truncate log_segments, log_chunks, log_heads, log_counters, log_stats, log_stats_by_fleet');
        const frames = frameTexts({ agents, frames: count, lines: linesPerFrame });
        const lines = frames.length * linesPerFrame;
        stored?.push([lines, (await measureLines(db, lines, () => store(frames))).cpuUs]);
        const merging = segmentMerging(db, { log, onLost: () => undefined });
        merged?.push([lines, (await measureLines(db, lines, () => merging.run(true))).cpuUs]);
      }
    } finally {
      await db.destroy();
    }
    return {
      title: 'A log line of 100 busy robots',
      ...{ x: 'log lines', y: 'service and Postgres CPU, us per line' },
      series: [
        { name: 'stored', points: stored ?? [] },
        { name: 'merged later', points: merged ?? [] },
      ],
    };
  },
};
