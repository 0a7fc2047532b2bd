import { setTimeout as sleep } from 'node:timers/promises';
import { bundle, startServer, type RunningServer } from '../harness/child.ts';
import { seedFleet, seedRobotTokens } from '../harness/fleet-data.ts';
import { startLinkProcess } from '../harness/links.ts';
import { startOurs } from '../harness/ours.ts';
import { pair, pick, summarise } from '../harness/pairing.ts';
import { usageOf } from '../harness/proc.ts';
import { limitLine, ratioLine, type Row } from '../harness/row.ts';

/** A process may have 20,000 files open where this was first measured. */
const mostLinks = 19_000;
const goalRatio = 1.3;
/** A link may cost this much more, or less, among the most than among the first. */
const flatGoalRatio = 1.3;
/** Links that come and go before anything is counted: the code that takes them is compiled then. */
const warmUpLinks = 500;
/** What was needed to take a link is collected after this. */
const settleMs = 5_000;

/** Resident memory a link in KB (10^3 bytes), with each of these numbers of links. */
async function memoryOf(server: RunningServer, tokens: readonly string[], sizes: readonly number[]): Promise<number[]> {
  await using links = await startLinkProcess();
  await links.run({ kind: 'open', url: server.url, tokens: tokens.slice(0, warmUpLinks) });
  await links.run({ kind: 'close' });
  await sleep(settleMs);
  const emptyMb = (await usageOf(server.pid)).rssMb;
  const perLinkKb: number[] = [];
  let open = 0;
  for (const size of sizes) {
    await links.run({ kind: 'open', url: server.url, tokens: tokens.slice(open, size) });
    open = size;
    await sleep(settleMs);
    perLinkKb.push((((await usageOf(server.pid)).rssMb - emptyMb) * 1000) / size);
  }
  return perLinkKb;
}

/** Links with nothing on them: what one costs in the server's memory, and whether it stays so with many. */
export const idleLinksRow: Row = {
  id: 'L1',
  work: 'memory of an idle agent link, up to 19,000 of them',
  against: 'a bare ws server, deflate off',
  processes: 1, // Each of its rounds starts both servers.
  async run(context) {
    const most = context.requests(mostLinks);
    const sizes = [Math.round(most / 19), Math.round((most * 10) / 19), most];
    const database = await context.database('l1');
    const tokens = await seedRobotTokens(database.url, await seedFleet(database.url, most));
    // Memory that was taken is not given back: each round has servers of its own.
    const rounds = await pair({
      rounds: context.rounds(3),
      warmUps: 0,
      ours: async () => {
        await using server = await startOurs({ DATABASE_URL: database.url });
        return await memoryOf(server, tokens, sizes);
      },
      peer: async () => {
        await using server = await startServer(await bundle('peers/ws.ts'), {});
        return await memoryOf(server, tokens, sizes);
      },
    });
    const at = (index: number) => pick(rounds, (perLink) => perLink[index] ?? 0);
    const flat = summarise(at(2)).ours / summarise(at(1)).ours;
    return [
      ...sizes.map((size, index) =>
        ratioLine(`RSS KB/link, ${size} links`, at(index), index === 0 ? undefined : goalRatio),
      ),
      limitLine(`RSS a link, ${most} links to ${sizes[1] ?? 0}`, flat, flatGoalRatio),
    ];
  },
};
