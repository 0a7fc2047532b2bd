import { setTimeout as sleep } from 'node:timers/promises';
import { together } from '../../support/together.ts';
import { seedFleet, seedRobotTokens } from '../harness/fleet-data.ts';
import { healthBeat, startLinkProcess } from '../harness/links.ts';
import { usageOf } from '../harness/proc.ts';
import { startReplicas, type Replicas } from '../harness/replicas.ts';
import { openScattered } from '../harness/scattered-links.ts';
import type { Curve } from './curve.ts';

const sizes = [1_000, 3_000, 10_000, 20_000, 30_000, 50_000];
const quickSizes = [100, 300, 1_000];
/** A process may have 20,000 files open, and a source address 28,000 ports. */
const replicas = 3;
const holders = 3;
const heartbeatSeconds = 60;
const beatSeconds = 20;
/** What was needed to take a link is collected after this. */
const settleMs = 5_000;

async function usageOfAll({ servers }: Replicas) {
  const all = await Promise.all(servers.map(({ pid }) => usageOf(pid)));
  return {
    cpuMs: all.reduce((sum, each) => sum + each.cpuMs, 0),
    rssMb: all.reduce((sum, each) => sum + each.rssMb, 0),
  };
}

/** Robots that are linked to three replicas by chance and send a heartbeat a minute. Each holder of links has an address of its own. */
export const fleetCurve: Curve = {
  id: 'fleet',
  async run(create, isQuick) {
    const { url } = await create('fleet');
    const all = isQuick ? quickSizes : sizes;
    const tokens = await seedRobotTokens(url, await seedFleet(url, all.at(-1) ?? 0));
    await using scene = await together(async (own) => {
      const service = own(await startReplicas(url, replicas));
      const processes = await Promise.all(Array.from({ length: holders }, () => startLinkProcess()));
      return { service, processes: processes.map(own) };
    });
    const { service, processes } = scene;
    const urls = service.servers.map((server) => server.url);
    const idleMb = (await usageOfAll(service)).rssMb;
    const [cpuUs, memoryKb, seconds]: [number, number][][] = [[], [], []];
    let [open, tookMs] = [0, 0];
    for (const size of all) {
      const added = tokens.slice(open, size);
      const startedAt = performance.now();
      await Promise.all(
        processes.map((holder, index) => {
          const share = added.filter((_, at) => at % holders === index);
          return openScattered(holder, { urls, tokens: share, from: `127.0.0.${2 + index}` });
        }),
      );
      tookMs += performance.now() - startedAt;
      open = size;
      await sleep(settleMs);
      const before = await usageOfAll(service);
      const perSecond = size / heartbeatSeconds / holders;
      const beat = { kind: 'beat' as const, perSecond, seconds: beatSeconds, frame: healthBeat };
      const sent = (await Promise.all(processes.map((holder) => holder.run(beat)))).map((each) => each.sent);
      const after = await usageOfAll(service);
      cpuUs?.push([size, ((after.cpuMs - before.cpuMs) * 1_000) / sent.reduce((sum, each) => sum + each, 0)]);
      memoryKb?.push([size, ((after.rssMb - idleMb) * 1_000) / size]);
      seconds?.push([size, tookMs / 1_000]);
    }
    return {
      title: 'Robots with a heartbeat a minute, on three replicas',
      x: 'linked robots',
      y: 'CPU of all replicas in us, memory in KB, time in s',
      series: [
        { name: 'a heartbeat, with what replicas do anyway', points: cpuUs ?? [] },
        { name: 'memory of a link', points: memoryKb ?? [] },
        { name: 'time until all are linked', points: seconds ?? [] },
      ],
    };
  },
};
