import { setTimeout as sleep } from 'node:timers/promises';
import { seedFleet, seedRobotTokens } from '../harness/fleet-data.ts';
import { bareBeat, startLinkProcess } from '../harness/links.ts';
import { startOurs } from '../harness/ours.ts';
import { usageOf } from '../harness/proc.ts';
import { limitLine, type Row } from '../harness/row.ts';
import { withClient } from '../harness/sql.ts';

const links = 10_000;
/** As many send as many heartbeats as all, each more often: the difference is what the others cost beside theirs. */
const fewLinks = 1_000;
const heartbeatSeconds = 10;
const cpuGoalPercent = 1;
const queriesGoalPerSecond = 5;
/** What connecting has left behind is done by then. */
const settleMs = 10_000;

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
  against: 'as many heartbeats a second of 1,000 robots',
  processes: 1, // It takes minutes: what it compares are half minutes of one server.
  async run(context) {
    const count = context.requests(links);
    const few = context.requests(fewLinks);
    const seconds = context.requests(30);
    const database = await context.database('r2');
    const tokens = await seedRobotTokens(database.url, await seedFleet(database.url, count));
    await using server = await startOurs({ DATABASE_URL: database.url });
    await using fewHolder = await startLinkProcess();
    await using holder = await startLinkProcess();
    const beats = { kind: 'beat' as const, perSecond: count / heartbeatSeconds, seconds, frame: bareBeat };

    await fewHolder.run({ kind: 'open', url: server.url, tokens: tokens.slice(0, few) });
    await fewHolder.run(beats); // the code of heartbeats is compiled then
    const ofFew = await percentOf(server.pid, () => fewHolder.run(beats));
    await fewHolder.run({ kind: 'close' });

    await holder.run({ kind: 'open', url: server.url, tokens });
    await sleep(settleMs);
    const before = await transactions(database.url);
    const ofAll = await percentOf(server.pid, () => holder.run(beats));
    // The one that asks first is in the count of the other.
    const perSecond = ((await transactions(database.url)) - before - 1) / seconds;
    const silent = await percentOf(server.pid, () => sleep(seconds * 1000));
    return [
      limitLine(`% of a core, heartbeats of ${count} links less as many of ${few}`, ofAll - ofFew, cpuGoalPercent),
      limitLine(`% of a core with the heartbeats of ${count} links`, ofAll),
      limitLine('% of a core, silent links that are pinged instead', silent),
      limitLine('queries/s with their heartbeats', perSecond, queriesGoalPerSecond),
    ];
  },
};
