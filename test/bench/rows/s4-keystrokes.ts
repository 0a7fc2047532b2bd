import { setTimeout as sleep } from 'node:timers/promises';
import { seedFleet, seedRobotTokens } from '../harness/fleet-data.ts';
import { startLinkProcess, startStreamProcess } from '../harness/links.ts';
import { startOurs } from '../harness/ours.ts';
import { median, pair, pick } from '../harness/pairing.ts';
import { usageOf } from '../harness/proc.ts';
import { limitLine, ratioLine, type Row } from '../harness/row.ts';
import { openShell, type, type Typed } from '../harness/typing.ts';

const keys = 1_000;
const p99GoalRatio = 2;
const rssGoalMb = 20;
/** Beside logs that saturate the server, whatever the keys take without them. */
const p99GoalMs = 20;
const floodingRobots = 50;
const floodedLines = 200; // of a frame

interface Noisy extends Typed {
  growthMb: number;
  recordsPerSecond: number;
  picturesPerSecond: number;
}

/**
 * Keys of one shell, echoed by its robot, beside a shell whose viewer stopped reading, logs that come as fast as they are stored, of one robot
 * with a reader or of 50, a camera of 100 pictures of 100 KB a second.
 */
export const crowdedKeystrokesRow: Row = {
  id: 'S4',
  work: 'keystrokes beside a stopped viewer, a saturated log stream, and a saturated camera',
  against: 'the same server without them',
  async run(context) {
    const database = await context.database('s4');
    const fleet = await seedFleet(database.url, 2 + floodingRobots);
    const [quietToken = '', loudToken = '', ...floodTokens] = await seedRobotTokens(database.url, fleet);
    const [quietId = '', loudId = ''] = fleet.robotIds;
    await using server = await startOurs({ DATABASE_URL: database.url });
    await using quiet = await startStreamProcess();
    await using loud = await startStreamProcess();
    await using flooding = await startLinkProcess();
    const { url } = server;
    const loudRobot = { url, robotId: loudId, token: fleet.userToken };
    await quiet.run({ kind: 'link', url, token: quietToken });
    await loud.run({ kind: 'link', url, token: loudToken });
    await flooding.run({ kind: 'open', url, tokens: floodTokens });
    const viewer = await openShell(url, quietId, fleet.userToken);
    const count = context.requests(keys);
    await type(viewer, count); // warm

    /** So long that whatever the noise makes compiled is compiled, and all buffers on the way are full. */
    const settleMs = 2_000;
    async function beside(noise?: 'logs' | 'camera'): Promise<Noisy> {
      const before = await usageOf(server.pid);
      await loud.run({ kind: 'stoppedShell', ...loudRobot });
      if (noise) await loud.run({ kind: noise, ...loudRobot });
      await sleep(settleMs);
      const startedAt = performance.now();
      const full = await usageOf(server.pid);
      const typed = await type(viewer, count);
      const seconds = (settleMs + performance.now() - startedAt) / 1_000;
      const after = await usageOf(server.pid);
      const { records, pictures } = await loud.run({ kind: 'quiet' });
      await sleep(settleMs);
      const growthMb = noise ? after.rssMb - full.rssMb : after.rssMb - before.rssMb;
      return { ...typed, growthMb, recordsPerSecond: records / seconds, picturesPerSecond: pictures / seconds };
    }

    async function besideFlood(): Promise<Noisy> {
      const startedAt = performance.now();
      await flooding.run({ kind: 'flood', lines: floodedLines });
      await sleep(settleMs);
      const full = await usageOf(server.pid);
      const typed = await type(viewer, count);
      const growthMb = (await usageOf(server.pid)).rssMb - full.rssMb;
      const { logs } = await flooding.run({ kind: 'endFlood' });
      const seconds = (performance.now() - startedAt) / 1_000;
      await sleep(settleMs);
      return { ...typed, growthMb, recordsPerSecond: (logs?.records ?? 0) / seconds, picturesPerSecond: 0 };
    }

    const idle = async () => ({
      ...(await type(viewer, count)),
      growthMb: 0,
      recordsPerSecond: 0,
      picturesPerSecond: 0,
    });
    const stopped = await pair({ rounds: context.rounds(5), ours: () => beside(), peer: idle });
    const saturated = await pair({ rounds: context.rounds(5), ours: () => beside('logs'), peer: idle });
    const flooded = await pair({ rounds: context.rounds(5), ours: besideFlood, peer: idle });
    const seen = await pair({ rounds: context.rounds(5), ours: () => beside('camera'), peer: idle });
    viewer.terminate();
    return [
      ratioLine(
        'p50 ms, a stopped viewer',
        pick(stopped, ({ p50Ms }) => p50Ms),
      ),
      ratioLine(
        'p99 ms, a stopped viewer',
        pick(stopped, ({ p99Ms }) => p99Ms),
        p99GoalRatio,
      ),
      limitLine('RSS MB growth by it, median', median(stopped.map(({ ours }) => ours.growthMb)), rssGoalMb),
      ratioLine(
        'p50 ms, saturated logs too',
        pick(saturated, ({ p50Ms }) => p50Ms),
      ),
      ratioLine(
        'p99 ms, saturated logs too',
        pick(saturated, ({ p99Ms }) => p99Ms),
        p99GoalRatio,
      ),
      limitLine('p99 ms, beside them', median(saturated.map(({ ours }) => ours.p99Ms)), p99GoalMs),
      limitLine('RSS MB growth while typing', median(saturated.map(({ ours }) => ours.growthMb)), rssGoalMb),
      limitLine('log records/s to their reader', median(saturated.map(({ ours }) => ours.recordsPerSecond))),
      ratioLine(
        'p50 ms, logs of 50 robots',
        pick(flooded, ({ p50Ms }) => p50Ms),
      ),
      limitLine('p99 ms, logs of 50 robots', median(flooded.map(({ ours }) => ours.p99Ms)), p99GoalMs),
      limitLine('RSS MB growth while typing, 50 robots', median(flooded.map(({ ours }) => ours.growthMb))),
      limitLine('log records/s of 50 robots', median(flooded.map(({ ours }) => ours.recordsPerSecond))),
      ratioLine(
        'p50 ms, a saturated camera',
        pick(seen, ({ p50Ms }) => p50Ms),
      ),
      ratioLine(
        'p99 ms, a saturated camera',
        pick(seen, ({ p99Ms }) => p99Ms),
        p99GoalRatio,
      ),
      limitLine('RSS MB growth while typing, camera', median(seen.map(({ ours }) => ours.growthMb)), rssGoalMb),
      limitLine('pictures/s to their reader', median(seen.map(({ ours }) => ours.picturesPerSecond))),
    ];
  },
};
