import { setTimeout as sleep } from 'node:timers/promises';
import { seedFleet, seedRobotTokens } from '../harness/fleet-data.ts';
import { startHintWays } from '../harness/hint-ways.ts';
import { healthBeat, startLinkProcess, type LinkProcess } from '../harness/links.ts';
import { pair, pick } from '../harness/pairing.ts';
import { usageOf } from '../harness/proc.ts';
import { startReplicas, type Replicas } from '../harness/replicas.ts';
import { ratioLine, type Line, type Row } from '../harness/row.ts';
import { openScattered } from '../harness/scattered-links.ts';
import { together } from '../../support/together.ts';

const robots = 6_000;
const perSecond = 1_000;
/** Shorter than the silence after which a robot is pinged, less its pause between two heartbeats. */
const idleSeconds = 5;
const goalRatio = 1.1;

interface Side extends AsyncDisposable {
  replicas: Replicas;
  holder: LinkProcess;
}

interface Cost {
  beatUs: number; // besides what the replicas do without heartbeats
  wholeUs: number;
}

async function cpuMs({ replicas }: Side): Promise<number> {
  const used = await Promise.all(replicas.servers.map(({ pid }) => usageOf(pid)));
  return used.reduce((sum, each) => sum + each.cpuMs, 0);
}

async function cpuMsDuring(side: Side, work: () => Promise<unknown>): Promise<{ cpuMs: number; seconds: number }> {
  const startedAt = performance.now();
  const before = await cpuMs(side);
  await work();
  return { cpuMs: (await cpuMs(side)) - before, seconds: (performance.now() - startedAt) / 1_000 };
}

/** Of all replicas together. First each robot sends a heartbeat: those that were silent before would be pinged. */
async function costOf(side: Side, seconds: number): Promise<Cost> {
  const beat = (forSeconds: number) =>
    side.holder.run({ kind: 'beat', perSecond, seconds: forSeconds, frame: healthBeat });
  await beat(robots / perSecond);
  const idle = await cpuMsDuring(side, () => sleep(idleSeconds * 1_000));
  const beats = perSecond * seconds;
  const busy = await cpuMsDuring(side, () => beat(seconds));
  const idleMs = (idle.cpuMs / idle.seconds) * busy.seconds;
  return { beatUs: ((busy.cpuMs - idleMs) * 1_000) / beats, wholeUs: (busy.cpuMs * 1_000) / beats };
}

/** The same robots at one, two and three replicas. The queries that a replica runs anyway are counted apart. */
export const replicasRow: Row = {
  id: 'L5',
  work: 'heartbeats with health of 6,000 links, paced at 1,000/s, over 2 and 3 replicas: Node CPU of all',
  against: 'one replica',
  async run(context) {
    await using ways = await startHintWays(context, 'L5');
    const start = (count: number): Promise<Side> =>
      together(async (own) => {
        const database = await context.database('l5');
        const tokens = await seedRobotTokens(database.url, await seedFleet(database.url, context.requests(robots)));
        const replicas = own(await startReplicas(database.url, count, (ways.nats ?? ways.notify).env));
        const holder = own(await startLinkProcess());
        await openScattered(holder, { urls: replicas.servers.map(({ url }) => url), tokens });
        return { replicas, holder };
      });
    const seconds = context.requests(20);
    await using one = await start(1);
    const lines: Line[] = [];
    for (const count of [2, 3]) {
      await using more = await start(count);
      const rounds = await pair({
        rounds: context.rounds(5),
        ours: () => costOf(more, seconds),
        peer: () => costOf(one, seconds),
      });
      lines.push(
        ratioLine(
          `CPU us/heartbeat, ${count} replicas`,
          pick(rounds, ({ beatUs }) => beatUs),
          goalRatio,
        ),
        ratioLine(
          `the same with what they do anyway, ${count} replicas`,
          pick(rounds, ({ wholeUs }) => wholeUs),
        ),
      );
    }
    return lines;
  },
};
