import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, type TestContext } from 'vitest';
import { testWith } from '../support/tools.ts';
import { orderSeconds, startCrowd, type Crowd } from './replica-crowd.ts';

const isShort = process.env['FAULT_ROUNDS'] === undefined;
const robots = isShort ? 60 : 300;
/** Of all robots, those that have to be linked again after a fault: some may be unlucky. */
const mostRobots = Math.ceil(robots * 0.95);
/** The measure is that of the long run; where other tests need the machine too, a link may be back much later. */
const relinkWithinMs = isShort ? 15_000 : 3_000;
const drainEveryMs = 6_000;
/** HAProxy finds out that a replica is back. */
const checkEveryMs = 1_000;
const flapEveryMs = 1_500;
/** Longer than `/readyz` trusts the last reply of the database, and within the wait of statements. */
const stallMs = 8_000;
/** Balancers wait 500 ms; more where other tests need the machine too. */
const readyWithinMs = isShort ? 1_500 : 500;

const figuresOf = (ms: number[]) => {
  const sorted = ms.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0);
  return `${sorted.length} links returned: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms`;
};
const inTime = (gaps: number[]) => gaps.filter((ms) => ms <= relinkWithinMs).length / gaps.length;
const tell = ({ annotate }: Pick<TestContext, 'annotate'>, text: string) => annotate(`${robots} robots: ${text}`);

const test = testWith('haproxy', 'postgresql');

describe('three replicas behind HAProxy', () => {
  // For all tests: each leaves it as it found it.
  let crowd: Crowd & AsyncDisposable;
  /** A deployment to all robots: how long it takes, and how many robots have an event of each status. */
  let undisturbed: { ms: number; reports: Record<string, number> };

  beforeAll(async () => {
    crowd = await startCrowd(robots);
    const { id, ms } = await crowd.deployment();
    undisturbed = { ms, reports: await crowd.reports(id) };
    return () => crowd[Symbol.asyncDispose]();
  });

  test('three drains in a row fail no call, keep the robots linked and bring each link back in time', async ({
    annotate,
  }) => {
    const { set, links, callers, lostAndDoubled } = crowd;
    links.gapsMs();
    const calls = callers(2);
    for (const index of set.urls.keys()) {
      const drained = set.end(index, 'SIGTERM').then(() => set.restart(index));
      // A loaded machine may need longer to start the replica, and one that drains all of them at once has no service.
      await Promise.all([drained, sleep(drainEveryMs)]);
      await sleep(checkEveryMs);
    }
    const linkedThen = links.linked();
    await expect.poll(() => links.linked(), { timeout: 60_000 }).toBe(robots);
    await calls.stop();
    const gaps = links.gapsMs();
    await tell({ annotate }, `${linkedThen} linked after three drains; ${figuresOf(gaps)}`);
    await tell(
      { annotate },
      `${calls.acknowledged.length} writes, failed calls: ${calls.failures.slice(0, 5).join(', ') || 'none'}`,
    );
    expect(linkedThen).toBeGreaterThanOrEqual(mostRobots);
    expect(inTime(gaps)).toBeGreaterThanOrEqual(0.95);
    expect(calls.failures.slice(0, 5)).toEqual([]);
    expect(await lostAndDoubled(calls)).toEqual({ lost: [], doubled: [] });
  });

  test('kill -9 of a replica loses and doubles no acknowledged write, and a deployment under way is applied', async ({
    annotate,
  }) => {
    const { set, links, callers, lostAndDoubled, deployment, reports } = crowd;
    links.gapsMs();
    const calls = callers(4);
    const { id, ms } = await deployment(async () => {
      await sleep((orderSeconds * 1_000) / 2);
      await set.end(0, 'SIGKILL');
      await links.killed(set.urls[0] ?? '');
      await expect.poll(() => links.linked(), { timeout: 60_000 }).toBe(robots);
    });
    const gaps = links.gapsMs();
    await calls.stop();
    await set.restart(0);
    await tell({ annotate }, `deployment ${ms} ms; ${figuresOf(gaps)}`);
    await tell({ annotate }, `${calls.acknowledged.length} writes acknowledged, ${calls.failures.length} calls failed`);
    expect(await lostAndDoubled(calls)).toEqual({ lost: [], doubled: [] });
    expect(calls.acknowledged.length).toBeGreaterThan(0);
    expect((await reports(id))['applied']).toBe(robots);
  });

  test('a flapping LISTEN delays a deployment by half at most', async ({ annotate }) => {
    const { set, deployment } = crowd;
    let [kills, isOver] = [0, false];
    // The connections that listen: just begun, or checked since.
    const flap = async () => {
      while (!isOver) {
        const { rows } = await set.db.raw<{ rows: { done: boolean }[] }>(
          `select pg_terminate_backend(pid) as done from pg_stat_activity
            where state = 'idle' and pid <> pg_backend_pid() and datname = current_database()
              and (query ilike 'listen %' or query like 'select pg_notify(%pg_backend_pid()%')`,
        );
        kills += rows.length;
        await sleep(flapEveryMs);
      }
    };
    // From when it was ordered on: that call itself may meet a connection that was killed.
    let flapping: Promise<void> | undefined;
    const { ms } = await deployment(async () => void (flapping = flap()));
    isOver = true;
    await flapping;
    await tell({ annotate }, `${ms} ms with ${kills} lost connections, ${undisturbed.ms} ms undisturbed`);
    expect(kills).toBeGreaterThan(3);
    expect(ms).toBeLessThanOrEqual(undisturbed.ms * 1.5 + 1_000);
  });

  test('while Postgres is frozen /readyz answers in time, /healthz stays 200, and afterwards no reported transition lacks its event', async ({
    annotate,
  }) => {
    const { set, links, deployment, reports } = crowd;
    const answers: { url: string; status: number; ms: number }[] = [];
    const { id, ms } = await deployment(async (deploymentId) => {
      // In the middle of what the robots report.
      await expect.poll(async () => (await reports(deploymentId))['downloading'] ?? 0).toBeGreaterThan(robots / 2);
      set.postgres.signalAll('SIGSTOP');
      try {
        const frozenAt = performance.now();
        while (performance.now() - frozenAt < stallMs) {
          for (const url of set.urls) {
            const askedAt = performance.now();
            const { status } = await fetch(`${url}/readyz`);
            answers.push({ url, status, ms: Math.round(performance.now() - askedAt) });
            expect((await fetch(`${url}/healthz`)).status).toBe(200);
          }
          await sleep(checkEveryMs);
        }
      } finally {
        set.postgres.signalAll('SIGCONT');
      }
    });
    const found = await reports(id);
    await tell({ annotate }, `readyz while frozen: ${JSON.stringify(answers)}; deployment ${ms} ms`);
    await tell({ annotate }, `events: ${JSON.stringify(found)}`);
    expect(found).toEqual(undisturbed.reports);
    // Ready at first, as a busy pool looks the same; then none is.
    const last = set.urls.map((url) => answers.findLast((answer) => answer.url === url)?.status);
    expect(last).toEqual([503, 503, 503]);
    expect(Math.max(...answers.map((answer) => answer.ms))).toBeLessThanOrEqual(readyWithinMs);
    await expect.poll(() => links.linked()).toBe(robots);
  });

  test('nine of ten updates of targets touch no index, and the timeline is not updated', async ({ annotate }) => {
    const tables = ['targets', 'timeline'];
    const read = async () => {
      const { rows } = await crowd.set.db.raw<{
        rows: { relname: string; n_tup_upd: number; n_tup_hot_upd: number }[];
      }>('select relname, n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where relname = any(?) order by relname', [
        tables,
      ]);
      return Object.fromEntries(
        rows.map(({ relname, n_tup_upd, n_tup_hot_upd }) => [relname, { updates: n_tup_upd, hot: n_tup_hot_upd }]),
      );
    };
    const { targets, timeline } = await read();
    await tell({ annotate }, JSON.stringify({ targets, timeline }));
    expect(targets?.updates).toBeGreaterThan(robots);
    expect((targets?.hot ?? 0) / (targets?.updates ?? 0)).toBeGreaterThanOrEqual(0.9);
    expect(timeline?.updates).toBe(0);
  });
});
