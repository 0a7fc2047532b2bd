import { setTimeout as sleep } from 'node:timers/promises';
import { startCrowd, type CrowdProcess } from '../harness/crowd.ts';
import { seedFleet, seedRobotTokens, type FleetData } from '../harness/fleet-data.ts';
import { startFront, type Front } from '../harness/front.ts';
import { startLoadGenerator, type LoadGenerator } from '../harness/load.ts';
import { startOurs } from '../harness/ours.ts';
import { quantile } from '../harness/pairing.ts';
import { limitLine, type Line, type Row } from '../harness/row.ts';
import { freePort } from '../../support/free-port.ts';

const robots = 10_000;
const backGoalSeconds = 45;
const p99GoalRatio = 5;
const withinMs = 180_000;
const settleMs = 15_000;

/** p99 in ms of one call after the other, each on a connection of its own, until `until` says that it is enough; refusals wait and are not counted. */
async function callsMeanwhile(
  generator: LoadGenerator,
  fleet: FleetData,
  port: number,
  until: () => boolean,
): Promise<number> {
  const latenciesMs: number[] = [];
  while (!until() || latenciesMs.length === 0) {
    const job = {
      port,
      method: 'GET' as const,
      paths: fleet.robotIds.slice(0, 50).map((id) => `/api/robots/${id}`),
      headers: { authorization: `Bearer ${fleet.userToken}` },
      status: 200,
      connections: 1,
      requests: 20,
      withinMs: 30_000,
    };
    const result = await generator.run(job).catch(() => undefined);
    if (result) latenciesMs.push(result.p99Ms);
    await sleep(100);
  }
  return quantile(latenciesMs, 0.99);
}

interface Scene {
  fleet: FleetData;
  generator: LoadGenerator;
  crowd: CrowdProcess;
  front: Front;
  count: number;
}

/** What happens from `strike` on: seconds until all are back, and p99 of calls to `port` meanwhile. */
async function aftermath({ fleet, generator, crowd, count }: Scene, port: number, strike: () => Promise<void>) {
  const startedAt = performance.now();
  await strike();
  let isBack = false;
  const back = crowd
    .until((up) => up < count, withinMs)
    .then(() => crowd.until((up) => up === count, withinMs))
    .then(() => {
      isBack = true;
      return (performance.now() - startedAt) / 1000;
    });
  const [seconds, p99Ms] = await Promise.all([back, callsMeanwhile(generator, fleet, port, () => isBack)]);
  return { seconds, p99Ms };
}

const linesOf = (what: string, { seconds, p99Ms }: { seconds: number; p99Ms: number }, idleMs: number): Line[] => [
  limitLine(`s until all are back, ${what}`, seconds, backGoalSeconds),
  {
    measure: `p99 ms of GET /api/robots/{id}, ${what}`,
    ours: p99Ms,
    peer: idleMs,
    ratio: p99Ms / idleMs,
    goal: { text: `<= ${p99GoalRatio.toFixed(2)}x`, met: p99Ms <= p99GoalRatio * idleMs },
  },
];

/** 10,000 robots of the simulator, with the backoff of real agents, when a service starts again and when one of two is killed. */
export const comingBackRow: Row = {
  id: 'L4',
  work: '10,000 agents come back after a restart, and after kill -9 of one of two replicas',
  against: 'a limit; calls while all is quiet',
  async run(context) {
    const count = context.requests(robots);
    const database = await context.database('l4');
    const fleet = await seedFleet(database.url, count);
    const tokens = await seedRobotTokens(database.url, fleet);
    const ports = [await freePort(), await freePort()] as const;
    const start = (port: number) => startOurs({ DATABASE_URL: database.url, PORT: String(port) });
    const servers = [await start(ports[0]), await start(ports[1])];
    await using generator = await startLoadGenerator();
    await using front = await startFront(ports);
    await using crowd = await startCrowd(front.url, tokens);
    try {
      const scene: Scene = { fleet, generator, crowd, front, count };
      const firstMs = await crowd.until((up) => up === count, withinMs);
      await sleep(settleMs);
      const enough = performance.now() + settleMs;
      const idleMs = await callsMeanwhile(generator, fleet, ports[0], () => performance.now() > enough);
      const killed = await aftermath(scene, ports[0], async () => void process.kill(servers[1]?.pid ?? 0, 'SIGKILL'));
      await sleep(settleMs);
      const restarted = await aftermath(scene, ports[0], async () => {
        await servers[0]?.[Symbol.asyncDispose]();
        servers[0] = await start(ports[0]);
      });
      return [
        limitLine('s until all are up the first time', firstMs / 1000),
        ...linesOf('kill -9 of one of two', killed, idleMs),
        ...linesOf('restart', restarted, idleMs),
      ];
    } finally {
      for (const server of servers) await server[Symbol.asyncDispose]();
    }
  },
};
