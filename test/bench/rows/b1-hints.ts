import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf } from '../harness/api.ts';
import { seedFleet, seedRobotTokens, type FleetData } from '../harness/fleet-data.ts';
import { startHintWays, type HintWay } from '../harness/hint-ways.ts';
import type { Hearing } from '../harness/link-hearing.ts';
import { startLinkProcess, type LinkProcess } from '../harness/links.ts';
import { quantile } from '../harness/pairing.ts';
import { startReplicas } from '../harness/replicas.ts';
import { limitLine, type Line, type Row } from '../harness/row.ts';
import { openScattered } from '../harness/scattered-links.ts';

const robots = 300;
/** Further ones, linked to the replica that takes the changes: without them, the others would send it some of theirs. */
const robotsOfFirst = robots / 2;
const p99GoalMs = 100;
const withinMs = 60_000;
/** Changes come one at a time: what is measured is a hint, and not a queue. */
const pauseMs = 20;

interface Scene {
  api: ReturnType<typeof apiOf>;
  holder: LinkProcess;
  fleet: FleetData;
  configId: unknown;
}

type Change = { deployment: unknown; answeredMs: number };

/** Times in ms from the responses to changes to what the robots hear of them. */
async function timesOf(
  { holder, fleet }: Scene,
  hearing: Pick<Hearing, 'what' | 'answer'>,
  changes: AsyncIterable<Change>,
): Promise<number[]> {
  const hear = holder.run({ kind: 'hear', ...hearing, count: fleet.robotIds.length, withinMs });
  const answered = new Map<unknown, number>();
  for await (const { deployment, answeredMs } of changes) {
    answered.set(deployment, answeredMs);
    await sleep(pauseMs);
  }
  const { heard } = await hear;
  // A robot may hear before the response is there.
  return heard.map(({ deployments, atMs }) => Math.max(0, atMs - (answered.get(deployments[0]) ?? -Infinity)));
}

/** A config for each robot, each then cancelled: a robot hears of both. */
async function round(scene: Scene): Promise<{ orders: number[]; cancels: number[] }> {
  const { api, fleet, configId } = scene;
  const made: unknown[] = [];
  async function* order(): AsyncGenerator<Change> {
    for (const id of fleet.robotIds) {
      const body = { config_id: configId, target_kind: 'robot', target_id: id };
      const { data } = await api.call('POST', '/api/configs/deployments', body);
      made.push(data['id']);
      yield { deployment: data['id'], answeredMs: Date.now() };
    }
  }
  async function* cancel(): AsyncGenerator<Change> {
    for (const id of made) {
      await api.call('POST', `/api/configs/deployments/${String(id)}/cancel`);
      yield { deployment: id, answeredMs: Date.now() };
    }
  }
  const orders = await timesOf(scene, { what: 'order' }, order());
  return { orders, cancels: await timesOf(scene, { what: 'cancel', answer: 'cancelled' }, cancel()) };
}

/** From the response to a change, which is after its commit, to a robot that is linked to another replica. */
export const hintsRow: Row = {
  id: 'B1',
  work: 'the response of one replica -> the order, or its cancel, at a robot that is linked to another',
  against: 'a limit',
  async run(context) {
    await using ways = await startHintWays(context, 'B1');
    const measure = async (way: HintWay): Promise<Line[]> => {
      const database = await context.database('b1');
      const count = context.requests(robots);
      const all = await seedFleet(database.url, count + robotsOfFirst);
      const tokens = await seedRobotTokens(database.url, all);
      const fleet = { ...all, robotIds: all.robotIds.slice(0, count) };
      await using replicas = await startReplicas(database.url, 3, way.env);
      await using holder = await startLinkProcess();
      await using first = await startLinkProcess();
      const others = [replicas.url(1), replicas.url(2)];
      await openScattered(holder, { urls: others, tokens: tokens.slice(0, count), takesOrders: true });
      await openScattered(first, { urls: [replicas.url(0)], tokens: tokens.slice(count) });
      const api = apiOf(replicas.url(0), fleet.userToken);
      const { data: config } = await api.call('POST', '/api/configs', { key: 'nav.max_speed', value: 1.2 });
      const scene: Scene = { api, holder, fleet, configId: config['id'] };
      await round(scene); // warm
      const [orders, cancels]: [number[], number[]] = [[], []];
      for (let count = 0; count < context.rounds(3); count += 1) {
        const times = await round(scene);
        orders.push(...times.orders);
        cancels.push(...times.cancels);
      }
      const goal = way.isNats ? p99GoalMs : undefined;
      return [
        limitLine(`order: p50 ms, ${way.name}`, quantile(orders, 0.5)),
        limitLine(`order: p99 ms, ${way.name}`, quantile(orders, 0.99), goal),
        limitLine(`cancel: p50 ms, ${way.name}`, quantile(cancels, 0.5)),
        limitLine(`cancel: p99 ms, ${way.name}`, quantile(cancels, 0.99), goal),
      ];
    };
    const lines: Line[] = [];
    for (const way of ways.all) lines.push(...(await measure(way)));
    return lines;
  },
};
