import { setTimeout as sleep } from 'node:timers/promises';
import { seedFleet } from '../harness/fleet-data.ts';
import { startHintWays, type HintWay } from '../harness/hint-ways.ts';
import { startLoadGenerator, type LoadGenerator } from '../harness/load.ts';
import { pair, type Round } from '../harness/pairing.ts';
import { usageOf } from '../harness/proc.ts';
import { startReplicas } from '../harness/replicas.ts';
import { atLeastLine, ratioLine, type Line, type Row, type RowContext } from '../harness/row.ts';

const changes = 1_500;
const connections = 6; // of all replicas together: more of one org are refused on a slow machine
const goalRatio = 0.95;
const withinMs = 120_000;
/** The log of hints is read, and the chain of the audit log is made, after the responses. */
const settleMs = 1_500;

interface Side extends AsyncDisposable {
  /** Makes so many changes, through all replicas at once. */
  run(requests: number): Promise<Throughput>;
}

interface Throughput {
  perSecond: number;
  cpuUs: number; // of a change, of all replicas
}

/** Labels of robots: each change announces itself to all replicas. */
async function startSide(
  { database }: RowContext,
  generators: readonly LoadGenerator[],
  way: HintWay,
  count: number,
): Promise<Side> {
  const { url } = await database('b2');
  const fleet = await seedFleet(url, 1_000);
  const replicas = await startReplicas(url, count, way.env);
  const { servers } = replicas;
  const cpuMs = async () => {
    const used = await Promise.all(servers.map(({ pid }) => usageOf(pid)));
    return used.reduce((sum, each) => sum + each.cpuMs, 0);
  };
  let first = 0;
  const job = {
    method: 'PATCH' as const,
    paths: fleet.robotIds.map((id) => `/api/robots/${id}`),
    headers: { authorization: `Bearer ${fleet.userToken}`, 'content-type': 'application/json' },
    body: '{"labels":{"floor":"{n}"}}',
    status: 200,
    connections: connections / count,
    withinMs,
  };
  return {
    [Symbol.asyncDispose]: () => replicas[Symbol.asyncDispose](),
    async run(requests) {
      const each = Math.ceil(requests / count);
      const before = await cpuMs();
      const startedAt = performance.now();
      await Promise.all(
        generators.slice(0, count).map((generator, index) => {
          const port = Number(new URL(replicas.url(index)).port);
          return generator.run({ ...job, port, requests: each, first: first + index * each });
        }),
      );
      const seconds = (performance.now() - startedAt) / 1_000;
      await sleep(settleMs);
      first += count * each;
      return { perSecond: (count * each) / seconds, cpuUs: (((await cpuMs()) - before) * 1_000) / (count * each) };
    },
  };
}

const linesOf = (what: string, rounds: readonly Round<Throughput>[], goal?: number): Line[] => [
  atLeastLine(
    `changes/s, ${what}`,
    rounds.map(({ ours, peer }) => ({ ours: ours.perSecond, peer: peer.perSecond })),
    goal,
  ),
  ratioLine(
    `CPU us/change, ${what}`,
    rounds.map(({ ours, peer }) => ({ ours: ours.cpuUs, peer: peer.cpuUs })),
  ),
];

/** As many connections for each side: what differs is how hints travel, or how many processes share the work. */
export const changesRow: Row = {
  id: 'B2',
  work: 'changes of robots through three replicas at once, each announced to all',
  against: 'the same with LISTEN/NOTIFY in place of NATS; one replica',
  async run(context) {
    await using ways = await startHintWays(context, 'B2');
    await using one = await startLoadGenerator();
    await using two = await startLoadGenerator();
    await using three = await startLoadGenerator();
    const generators = [one, two, three];
    await using notify = await startSide(context, generators, ways.notify, 3);
    const requests = context.requests(changes);
    const compare = async (what: string, ours: Side, peer: Side, goal?: number): Promise<Line[]> => {
      const rounds = context.rounds(5);
      const pairing = { rounds, ours: () => ours.run(requests), peer: () => peer.run(requests) };
      return linesOf(what, await pair(pairing), goal);
    };
    await using alone = await startSide(context, generators, ways.notify, 1);
    const lines = await compare('three to one, LISTEN/NOTIFY', notify, alone);
    if (!ways.nats) return lines;
    await using nats = await startSide(context, generators, ways.nats, 3);
    return [
      ...(await compare('NATS to LISTEN/NOTIFY', nats, notify, goalRatio)),
      ...(await compare('three with NATS to one', nats, alone)),
      ...lines,
    ];
  },
};
