import { seedFleet, seedRobotTokens } from '../harness/fleet-data.ts';
import { startCameraProcess } from '../harness/links.ts';
import { startOurs } from '../harness/ours.ts';
import { usageOf } from '../harness/proc.ts';
import type { Curve } from './curve.ts';

const sizes = [1, 3, 10, 30];
const pictures = { kind: 'send' as const, bytes: 100_000, perSecond: 10, seconds: 5 };

/** A camera of 100 KB pictures, each viewer of which gets every picture. */
export const viewersCurve: Curve = {
  id: 'viewers',
  async run(create) {
    const { url } = await create('viewers');
    const fleet = await seedFleet(url, sizes.length);
    const tokens = await seedRobotTokens(url, fleet);
    await using server = await startOurs({ DATABASE_URL: url });
    const points: [number, number][] = [];
    for (const [index, viewers] of sizes.entries()) {
      await using camera = await startCameraProcess();
      const robot = { robotId: fleet.robotIds[index] ?? '', robotToken: tokens[index] ?? '' };
      await camera.run({ kind: 'robot', url: server.url, ...robot, userToken: fleet.userToken, viewers });
      await camera.run(pictures); // warm
      const before = await usageOf(server.pid);
      const { delivered } = await camera.run(pictures);
      points.push([viewers, (((await usageOf(server.pid)).cpuMs - before.cpuMs) * 1_000) / delivered]);
    }
    return {
      title: 'A picture of 100 KB to a viewer',
      x: 'viewers of a camera',
      y: 'server CPU, us per delivery',
      series: [{ name: '10 pictures per second', points }],
    };
  },
};
