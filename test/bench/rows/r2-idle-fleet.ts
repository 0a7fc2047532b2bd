import { setTimeout as sleep } from 'node:timers/promises';
import { seedFleet, seedRobotTokens } from '../harness/fleet-data.ts';
import { bareBeat, startLinkProcess } from '../harness/links.ts';
import { startOurs } from '../harness/ours.ts';
import { usageOf } from '../harness/proc.ts';
import { limitLine, type Row } from '../harness/row.ts';
import { withClient } from '../harness/sql.ts';

const links = 10_000;
const heartbeatSeconds = 10;
const cpuGoalPercent = 1;
const queriesGoalPerSecond = 5;
/** What connecting has left behind is done by then. */
const settleMs = 15_000;

/** Share of a core that a process uses meanwhile, in %. */
async function percentOf(pid: number, during: () => Promise<unknown>): Promise<number> {
  const [before, startedAt] = [await usageOf(pid), performance.now()];
  await during();
  return (((await usageOf(pid)).cpuMs - before.cpuMs) * 100) / (performance.now() - startedAt);
}

/** Transactions that the database has ended so far; a statement alone is one. */
const transactions = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ n: string }>(
      `select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()`,
    );
    return Number(rows[0]?.n);
  });

/** 10,000 robots that only stand there: what the server does for them beside their heartbeats. */
export const idleFleetRow: Row = {
  id: 'R2',
  work: '10,000 linked robots with nothing to do',
  against: 'the same server without links; their heartbeats apart',
  async run(context) {
    const count = context.requests(links);
    const seconds = context.requests(60);
    const database = await context.database('r2');
    const tokens = await seedRobotTokens(database.url, await seedFleet(database.url, count));
    await using server = await startOurs({ DATABASE_URL: database.url });
    await using holder = await startLinkProcess();
    await sleep(settleMs / 3);
    const wait = () => sleep(seconds * 1000);
    const empty = await percentOf(server.pid, wait);
    await holder.run({ kind: 'open', url: server.url, tokens });
    await sleep(settleMs);
    const silent = await percentOf(server.pid, wait);
    const before = await transactions(database.url);
    const beating = await percentOf(server.pid, () =>
      holder.run({ kind: 'beat', perSecond: count / heartbeatSeconds, seconds, frame: bareBeat }),
    );
    // The one that asks first is in the count of the other.
    const perSecond = ((await transactions(database.url)) - before - 1) / seconds;
    return [
      limitLine('% of a core for links that are silent, less an empty server', silent - empty, cpuGoalPercent),
      limitLine('% of a core with their heartbeats', beating),
      limitLine('queries/s with their heartbeats', perSecond, queriesGoalPerSecond),
    ];
  },
};
