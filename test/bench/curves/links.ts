import { setTimeout as sleep } from 'node:timers/promises';
import { seedFleet, seedRobotTokens } from '../harness/fleet-data.ts';
import { healthBeat, startLinkProcess } from '../harness/links.ts';
import { startOurs } from '../harness/ours.ts';
import { usageOf } from '../harness/proc.ts';
import type { Curve } from './curve.ts';

/** A process may have 20,000 files open. */
const sizes = [100, 300, 1_000, 3_000, 10_000, 19_000];
const perSecond = 1_000;
const leastSeconds = 6;
/** What was needed to take a link is collected after this. */
const settleMs = 4_000;

/** As many heartbeats for any number of links: whether one costs more among many links. */
export const linksCurve: Curve = {
  id: 'links',
  async run(create) {
    const { url } = await create('links');
    const tokens = await seedRobotTokens(url, await seedFleet(url, sizes.at(-1) ?? 0));
    await using server = await startOurs({ DATABASE_URL: url });
    await using links = await startLinkProcess();
    const points: [number, number][] = [];
    let open = 0;
    for (const size of sizes) {
      await links.run({ kind: 'open', url: server.url, tokens: tokens.slice(open, size) });
      open = size;
      await sleep(settleMs);
      // Each robot sends as often. First once uncounted: robots that were silent meanwhile would be pinged.
      const seconds = Math.max(leastSeconds, size / perSecond);
      const beats = { kind: 'beat' as const, perSecond, seconds, frame: healthBeat };
      await links.run(beats);
      const before = await usageOf(server.pid);
      const { sent } = await links.run(beats);
      points.push([size, (((await usageOf(server.pid)).cpuMs - before.cpuMs) * 1_000) / sent]);
    }
    return {
      title: 'A heartbeat with health, 1,000 per second in all',
      x: 'links of a process',
      y: 'server CPU, us',
      series: [{ name: 'a heartbeat', points }],
    };
  },
};
