import { setTimeout as sleep } from 'node:timers/promises';
import { bundle, startServer, type RunningServer } from '../harness/child.ts';
import { startCrowd, type CrowdProcess } from '../harness/crowd.ts';
import { seedFleet, seedRobotTokens, type FleetData } from '../harness/fleet-data.ts';
import { startWideFront } from '../harness/front.ts';
import { lastingPort } from '../harness/lasting-port.ts';
import { startLoadGenerator, type LoadGenerator } from '../harness/load.ts';
import { startOurs } from '../harness/ours.ts';
import { quantile } from '../harness/pairing.ts';
import { limitLine, type Line, type Row, type RowContext } from '../harness/row.ts';

const robots = 10_000;
const backGoalSeconds = 45;
const p99GoalRatio = 5;
/** Robots that are not there by then will not come, or much too late. */
const withinMs = 90_000;
const settleMs = 15_000;
const idleMs = 15_000;

interface Scene {
  note: RowContext['note'];
  fleet: FleetData;
  generator: LoadGenerator;
  crowd: CrowdProcess;
  count: number;
}

/** p99 in ms of calls to `port`, one after the other, until `until` is over, however it ends; what is refused waits and is not counted. */
async function callsUntil(until: Promise<unknown>, { generator, fleet }: Scene, port: number): Promise<number> {
  const latenciesMs: number[] = [];
  const over = until.then(
    () => true,
    () => true,
  );
  for (let isOver = false; !isOver; isOver = await Promise.race([over, sleep(100, false)])) {
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
    latenciesMs.push(...(result?.latenciesMs ?? []));
  }
  return quantile(latenciesMs, 0.99);
}

/** What happens from `strike` on: seconds until all are back, and p99 of calls to `port` meanwhile. */
async function aftermath(scene: Scene, port: number, strike: () => Promise<void>) {
  const { crowd, count, note } = scene;
  const startedAt = performance.now();
  const back = async () => {
    const some = crowd.until((up) => up < count, withinMs);
    await strike();
    const struckMs = performance.now() - startedAt;
    await some;
    note(`  ${count - crowd.up} robots are away`);
    await crowd.until((up) => up === count, withinMs);
    return { struckSeconds: struckMs / 1_000, seconds: (performance.now() - startedAt) / 1_000 };
  };
  const going = back();
  const [figures, p99Ms] = await Promise.all([going, callsUntil(going, scene, port)]);
  return { ...figures, p99Ms };
}

const p99Line = (what: string, p99Ms: number, quietMs: number): Line => ({
  measure: `p99 ms of GET /api/robots/{id}, ${what}`,
  ours: p99Ms,
  peer: quietMs,
  ratio: p99Ms / quietMs,
  goal: { of: 'ratio', is: 'at most', bound: p99GoalRatio },
});

/** The same robots and proxy when a bare ws server starts again, which admits them as fast as they come, beside calls to the service. */
async function floorOf(scene: Omit<Scene, 'crowd'>, tokens: readonly string[], port: number) {
  const peer = await bundle('peers/ws.ts');
  const peerPort = await lastingPort();
  const start = () => startServer(peer, { PORT: String(peerPort) });
  let bare = await start();
  try {
    await using front = await startWideFront([peerPort]);
    await using crowd = await startCrowd(front.url, tokens);
    await crowd.until((up) => up === scene.count, withinMs);
    await sleep(settleMs);
    return await aftermath({ ...scene, crowd }, port, async () => {
      await bare[Symbol.asyncDispose]();
      bare = await start();
    });
  } finally {
    await bare[Symbol.asyncDispose]();
  }
}

/** 10,000 robots of the simulator, with the backoff of real agents, when one of two services is killed and when the other starts again. */
export const comingBackRow: Row = {
  id: 'L4',
  work: '10,000 agents come back after kill -9 of one of two replicas, and after a restart',
  against: 'a limit; calls while all is quiet',
  processes: 1, // One storm takes minutes, and 10,000 robots are its sample.
  async run(context) {
    const count = context.requests(robots);
    const database = await context.database('l4');
    const fleet = await seedFleet(database.url, count);
    const tokens = await seedRobotTokens(database.url, fleet);
    const ports = [await lastingPort(), await lastingPort()] as const;
    const start = (port: number) => startOurs({ DATABASE_URL: database.url, PORT: String(port) });
    const servers: RunningServer[] = [];
    try {
      for (const port of ports) servers.push(await start(port));
      await using generator = await startLoadGenerator();
      const parts = { note: context.note, fleet, generator, count };
      const floor = await floorOf(parts, tokens, ports[0]);
      await using front = await startWideFront(ports);
      await using crowd = await startCrowd(front.url, tokens);
      const scene: Scene = { ...parts, crowd };
      const firstMs = await crowd.until((up) => up === count, withinMs);
      await sleep(settleMs);
      const quietMs = await callsUntil(sleep(idleMs), scene, ports[0]);
      const killed = await aftermath(scene, ports[0], async () => void process.kill(servers[1]?.pid ?? 0, 'SIGKILL'));
      await sleep(settleMs);
      const restarted = await aftermath(scene, ports[0], async () => {
        await servers[0]?.[Symbol.asyncDispose]();
        servers[0] = await start(ports[0]);
      });
      return [
        limitLine('s until all are up the first time', firstMs / 1000),
        limitLine('s until all are back, kill -9 of one of two', killed.seconds, backGoalSeconds),
        p99Line('kill -9 of one of two', killed.p99Ms, quietMs),
        // Sending the agents away is no part of it: that takes the time it is given, so that nobody is stormed.
        limitLine(
          's from ready until all are back, restart',
          restarted.seconds - restarted.struckSeconds,
          backGoalSeconds,
        ),
        limitLine('s from the signal until all are back, restart', restarted.seconds),
        p99Line('restart', restarted.p99Ms, quietMs),
        limitLine('s until all are back, a bare ws server', floor.seconds),
        limitLine('p99 ms of GET /api/robots/{id}, the same', floor.p99Ms),
      ];
    } finally {
      for (const server of servers) await server[Symbol.asyncDispose]();
    }
  },
};
