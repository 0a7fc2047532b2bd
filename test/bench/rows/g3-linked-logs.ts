import { setTimeout as sleep } from 'node:timers/promises';
import { seedFleet, seedRobotTokens } from '../harness/fleet-data.ts';
import { bareBeat, startLinkProcess } from '../harness/links.ts';
import { startWatched } from '../harness/loop-watch.ts';
import { usageOf } from '../harness/proc.ts';
import { limitLine, type Row } from '../harness/row.ts';

/** A process may have 20,000 files open where this was first measured. */
const mostLinks = 19_000;
/** As of 20,000 robots. */
const linesPerSecond = 4_000;
/** Merging begins after two minutes. */
const linesForSeconds = 200;
const beatsForSeconds = 40;
const settleMs = 10_000;
const ackGoalMs = 1_500;
const blockGoalMs = 20;

/** The log lines of a large quiet fleet, over its links to one replica, which merges them meanwhile. */
export const linkedLogsRow: Row = {
  id: 'G3',
  work: 'a log line per 5 s of each of 20,000 robots on one replica, over 19,000 links',
  against: 'a limit',
  processes: 1, // It runs for minutes, as long as a second merging begins, and has 800,000 lines as its sample.
  async run(context) {
    const { url } = await context.database('g3');
    const tokens = await seedRobotTokens(url, await seedFleet(url, context.requests(mostLinks)));
    const perSecond = context.requests(linesPerSecond);
    await using server = await startWatched({ DATABASE_URL: url });
    await using holder = await startLinkProcess();
    await holder.run({ kind: 'open', url: server.url, tokens });
    await sleep(settleMs);
    await server.longestBlockMs();
    await holder.run({ kind: 'beat', perSecond, seconds: context.requests(beatsForSeconds), frame: bareBeat });
    const besideBeatsMs = await server.longestBlockMs();
    const before = await usageOf(server.pid);
    const { logs, elapsedMs } = await holder.run({
      kind: 'logs',
      perSecond,
      seconds: context.requests(linesForSeconds),
    });
    const blockedMs = await server.longestBlockMs();
    const after = await usageOf(server.pid);
    if (!logs) throw new Error('no log lines were sent');
    return [
      limitLine('ms to the acknowledgement, p50', logs.p50Ms),
      limitLine('ms to the acknowledgement, p99', logs.p99Ms, ackGoalMs),
      limitLine('ms, longest block of the event loop', blockedMs, blockGoalMs),
      limitLine('ms, the same with heartbeats in place of lines', besideBeatsMs),
      limitLine('% of a core', ((after.cpuMs - before.cpuMs) * 100) / elapsedMs),
      limitLine('RSS MB', after.rssMb),
    ];
  },
};
