import { setTimeout as sleep } from 'node:timers/promises';
import { bundle, startServer, type RunningServer } from '../harness/child.ts';
import { seedFleet, seedRobotTokens } from '../harness/fleet-data.ts';
import { startCameraProcess, type CameraProcess } from '../harness/links.ts';
import { startOurs } from '../harness/ours.ts';
import { pair } from '../harness/pairing.ts';
import { usageOf } from '../harness/proc.ts';
import { limitLine, ratioLine, type Line, type Row } from '../harness/row.ts';

const picture = { bytes: 100_000, perSecond: 30 };
const goalRatio = 0.8;
const rssGoalMb = 20;

/** What the server uses while nothing comes: signs of life, pings; in ms of CPU a second. */
async function idleOf(server: RunningServer, seconds: number): Promise<number> {
  const before = await usageOf(server.pid);
  await sleep(seconds * 1_000);
  return ((await usageOf(server.pid)).cpuMs - before.cpuMs) / seconds;
}

/** CPU of the server a picture that reached a viewer, in us, without what it uses anyway. */
async function cpuOf(server: RunningServer, camera: CameraProcess, seconds: number, idle: number): Promise<number> {
  const before = await usageOf(server.pid);
  const startedAt = performance.now();
  const { delivered } = await camera.run({ kind: 'send', ...picture, seconds });
  const idleMs = (idle * (performance.now() - startedAt)) / 1_000;
  const after = await usageOf(server.pid);
  return ((after.cpuMs - before.cpuMs - idleMs) * 1_000) / delivered;
}

/** One camera and all who look at it. */
export const cameraRow: Row = {
  id: 'S3',
  work: 'a camera of 100 KB and 30 pictures a second to its viewers: server CPU a delivery',
  against: 'ws.send in a loop',
  async run(context) {
    const database = await context.database('s3');
    const fleet = await seedFleet(database.url, 2);
    const tokens = await seedRobotTokens(database.url, fleet);
    await using ours = await startOurs({ DATABASE_URL: database.url });
    const seconds = context.requests(6);
    const lines: Line[] = [];
    for (const [index, viewers] of [30, 1].entries()) {
      await using peer = await startServer(await bundle('peers/pictures.ts'), {});
      await using ourCamera = await startCameraProcess();
      await using peerCamera = await startCameraProcess();
      const robot = { robotId: fleet.robotIds[index] ?? '', robotToken: tokens[index] ?? '' };
      await ourCamera.run({ kind: 'robot', url: ours.url, ...robot, userToken: fleet.userToken, viewers });
      await peerCamera.run({ kind: 'bare', url: peer.url, viewers });
      await ourCamera.run({ kind: 'send', ...picture, seconds }); // warm
      const idle = await idleOf(ours, seconds);
      const rounds = await pair({
        rounds: context.rounds(5),
        ours: () => cpuOf(ours, ourCamera, seconds, idle),
        peer: () => cpuOf(peer, peerCamera, seconds, 0),
      });
      const goal = viewers > 1 ? [goalRatio] : [];
      lines.push(ratioLine(`CPU us/delivery, viewers: ${viewers}`, rounds, ...goal));
      if (viewers === 1) continue;
      await ourCamera.run({ kind: 'stoppedViewer' });
      await ourCamera.run({ kind: 'send', ...picture, seconds });
      const before = await usageOf(ours.pid);
      await ourCamera.run({ kind: 'send', ...picture, seconds: 2 * seconds });
      const after = await usageOf(ours.pid);
      lines.push(limitLine('RSS MB growth, one more reads nothing', after.rssMb - before.rssMb, rssGoalMb));
    }
    return lines;
  },
};
