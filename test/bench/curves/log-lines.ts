import type { Logs } from '../../../generated/frames.d.ts';
import { makeLogPartitions } from '../../../src/logs/partitions.ts';
import { createLogIngest } from '../../../src/logs/service.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { clearLogs, measureLines, measureMerging } from '../harness/log-cost.ts';
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
        await clearLogs(db);
        const frames = frameTexts({ agents, frames: count, lines: linesPerFrame });
        const lines = frames.length * linesPerFrame;
        stored?.push([lines, (await measureLines(db, lines, () => store(frames))).cpuUs]);
        merged?.push([lines, (await measureMerging(db, { lines, framesPerAgent: frames.length / agents })).cpuUs]);
      }
    } finally {
      await db.destroy();
    }
    return {
      title: 'A log line of 100 busy robots',
      x: 'log lines',
      y: 'service and Postgres CPU, us per line',
      series: [
        { name: 'stored', points: stored ?? [] },
        { name: 'merged later', points: merged ?? [] },
      ],
    };
  },
};
