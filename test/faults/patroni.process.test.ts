import { expect } from 'vitest';
import { orgOnServer } from '../support/org-on-server.ts';
import { startPatroni } from '../support/patroni.ts';
import { testWith } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { judge, kept, startWriters } from './writers.ts';

/** Longest time from the promotion to the first change. */
const readyMs = 10_000;

testWith(
  'postgresql',
  'patroni',
  'etcd',
  'python3-etcd',
)(
  'a switchover by Patroni, and then its failover after kill -9 of the primary, lose no change, and changes work within 10 s after each',
  async ({ annotate }) => {
    await using cluster = await startPatroni();
    await using service = await orgOnServer({ DATABASE_URL: cluster.url });
    const load = startWriters(service.call);
    await until(() => load.count(201) > 100);
    const isReady = async () => (await fetch(`${service.server.url}/readyz`)).status === 200;
    const afterPromotion = async () => {
      const startedAt = performance.now();
      const before = load.count(201);
      await until(async () => load.count(201) > before && (await isReady()));
      return Math.round(performance.now() - startedAt);
    };

    await cluster.switchOver();
    const switchedMs = await afterPromotion();
    await cluster.isWhole();
    const refused = load.count(503);
    await cluster.killPrimary();
    const failedOverMs = await afterPromotion();
    const after = load.count(201);
    await until(() => load.count(201) > after + 100);
    await load.stop();

    await annotate(
      `switchover: ${switchedMs} ms, failover: ${failedOverMs} ms; ${load.count(201)} sites, ${load.count(503)} of 503`,
    );
    expect(Math.max(switchedMs, failedOverMs)).toBeLessThan(readyMs);
    expect(load.count(503)).toBeGreaterThan(refused);
    expect(judge(load.heard, await cluster.sql<{ id: string }>('select id from sites'))).toEqual(kept);
  },
);
