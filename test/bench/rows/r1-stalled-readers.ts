import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { seedFleet, type FleetData } from '../harness/fleet-data.ts';
import { spend, startLoadGenerator } from '../harness/load.ts';
import { startOurs } from '../harness/ours.ts';
import { median, pair, pick } from '../harness/pairing.ts';
import { usageOf } from '../harness/proc.ts';
import { limitLine, ratioLine, type Row } from '../harness/row.ts';

const robots = 10_000;
/** An org may read four complete lists at once, so ten readers need three orgs. */
const readersOfOrgs = [4, 3, 3];
const rssGoalMb = 20;
const p99GoalRatio = 2;

/** Asks for a complete list and reads no byte of the answer: only what the kernel's buffers hold ever leaves the server. */
function stallReader(url: string, { userToken }: FleetData): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' }, () => {
      socket.pause();
      socket.write(`GET /api/robots HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${userToken}\r\n\r\n`, () =>
        resolve(socket),
      );
    });
    socket.on('error', reject);
  });
}

/** Until a process has used less than 10 % of a core for a quarter of a second: its lists wait for their readers. */
async function untilIdle(pid: number): Promise<void> {
  for (let before = await usageOf(pid); ;) {
    await sleep(250);
    const now = await usageOf(pid);
    if (now.cpuMs - before.cpuMs < 25) return;
    before = now;
  }
}

/** Complete lists of 10,000 robots that ten clients ask for and never read, beside ordinary calls. */
export const stalledReadersRow: Row = {
  id: 'R1',
  work: 'GET /api/robots of 10,000 robots, 10 stalled readers',
  against: 'the same server without them',
  async run(context) {
    const database = await context.database('r1');
    const orgs = await Promise.all(readersOfOrgs.map(() => seedFleet(database.url, robots)));
    const first = orgs[0] as FleetData; // one org for each entry of readersOfOrgs
    await using server = await startOurs({ DATABASE_URL: database.url });
    await using generator = await startLoadGenerator();
    const headers = { authorization: `Bearer ${first.userToken}` };
    const common = { method: 'GET' as const, headers, status: 200, withinMs: 60_000 };
    const call = {
      ...common,
      paths: first.robotIds.slice(0, 100).map((id) => `/api/robots/${id}`),
      connections: 4,
      requests: context.requests(2_000),
    };
    // Whole lists read at full speed, so that what a list costs by itself is in the memory before anyone stalls.
    await generator.run({
      ...common,
      port: Number(new URL(server.url).port),
      paths: ['/api/robots'],
      connections: 4,
      requests: 40,
    });

    let growthMb = 0;
    const whileListsBegin: number[] = [];
    const rounds = await pair({
      rounds: context.rounds(7),
      ours: async () => {
        const before = await usageOf(server.pid);
        const stalled: Socket[] = [];
        try {
          for (const [at, count] of readersOfOrgs.entries())
            for (let reader = 0; reader < count; reader += 1)
              stalled.push(await stallReader(server.url, orgs[at] as FleetData));
          const beginning = await spend(generator, server, { ...call, requests: call.requests / 4 });
          whileListsBegin.push(beginning.p99Ms);
          await untilIdle(server.pid);
          const spent = await spend(generator, server, call);
          growthMb = Math.max(growthMb, beginning.rssMb - before.rssMb, spent.rssMb - before.rssMb);
          if (stalled.some((socket) => socket.closed))
            throw new Error('a reader was dropped before the round was over');
          return spent;
        } finally {
          for (const socket of stalled) socket.destroy();
          await untilIdle(server.pid); // the server learns of the closed sockets before the other side counts
        }
      },
      peer: () => spend(generator, server, call),
    });
    return [
      limitLine('RSS MB growth, largest', growthMb, rssGoalMb),
      ratioLine(
        'p99 ms of GET /api/robots/{id}',
        pick(rounds, (spent) => spent.p99Ms),
        p99GoalRatio,
      ),
      limitLine('p99 ms while the lists begin', median(whileListsBegin)),
    ];
  },
};
