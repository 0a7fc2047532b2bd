import type { Knex } from 'knex';
import { inTransaction } from '../platform/db/transaction.ts';
import { snapshotOf } from './facts.ts';
import { parseExpression } from './expression.ts';
import { compileRule } from './compile.ts';
import { judge } from './judge.ts';
import { reviewStore } from './review-store.ts';
import { ruleStore } from './rule-store.ts';
import { statusStore, type RobotKey } from './status-store.ts';
import { windowStore } from './window-store.ts';

const maxRobots = 500;
const offlineEveryMs = 5_000;
/** The length of a run, apart from its last page: snapshots wait meanwhile. */
const turnMs = 200;

/**
 * Evaluates what no snapshot does: robots that are offline, pending conditions of robots without a link, and robots
 * whose rules, labels, place or maintenance changed. Every replica runs one. `databaseMs`: Unix time by the clock of the database.
 */
export function conditionReviewer(db: Knex, databaseMs: () => number) {
  let offlineMs = -Infinity;

  /**
   * Evaluates robots with their stored snapshots. Those whose status changes meanwhile are requested again. The rules
   * are read in the transaction that takes the request, as the change that requested it may be newer than a cache.
   */
  async function review(trx: Knex, robots: readonly RobotKey[]): Promise<void> {
    if (robots.length === 0) return;
    const rules = await ruleStore(trx).enabled([...new Set(robots.map(({ orgId }) => orgId))]);
    const compiled = rules.map((rule) => ({ orgId: rule.orgId, rule: compileRule(rule) }));
    const writes = (await statusStore(trx).read(robots)).map((record) => {
      const own = compiled.filter(({ orgId }) => orgId === record.orgId).map(({ rule }) => rule);
      return judge(record, own, snapshotOf(record.snapshot), databaseMs()).write;
    });
    const written = await statusStore(trx).write(writes);
    const left = writes.filter(({ robotId }) => !written.has(robotId));
    if (left.length > 0) await reviewStore(trx).requestEach(left);
  }

  const inOne = <T>(work: (trx: Knex) => Promise<T>): Promise<T> =>
    inTransaction(db, async (trx) => ({ result: await work(trx), closing: [] }));

  async function requestOffline(): Promise<void> {
    const orgsBySeconds = new Map<number, Set<string>>();
    for (const { orgId, expression } of await ruleStore(db).mentioning('offline'))
      for (const { name, value } of parseExpression(expression).flat()) {
        if (name !== 'offline') continue;
        const seconds = Math.ceil(Number(value));
        orgsBySeconds.set(seconds, (orgsBySeconds.get(seconds) ?? new Set()).add(orgId));
      }
    for (const [seconds, orgIds] of orgsBySeconds)
      await inOne((trx) => reviewStore(trx).requestOffline(seconds, [...orgIds]));
  }

  return {
    /** Evaluates robots for about 200 ms. Returns whether more of them wait. */
    async run(): Promise<boolean> {
      if (performance.now() - offlineMs >= offlineEveryMs) {
        offlineMs = performance.now();
        await requestOffline();
        await inOne(async (trx) => review(trx, await statusStore(trx).takeDue(maxRobots)));
      }
      // Nearly always the only statement of a second.
      if (!(await reviewStore(db).isNeeded())) return false;
      await inOne((trx) => windowStore(trx).endDue());
      const endMs = performance.now() + turnMs;
      const inTurn = async (step: (trx: Knex) => Promise<boolean>): Promise<boolean> => {
        let isLeft = true;
        do isLeft = await inOne(step);
        while (isLeft && performance.now() < endMs);
        return isLeft;
      };
      const areRobotsLeft = await inTurn(async (trx) => {
        const robots = await reviewStore(trx).takeRobots(maxRobots);
        await review(trx, robots);
        return robots.length === maxRobots;
      });
      const arePagesLeft = await inTurn(async (trx) => {
        const robots = await reviewStore(trx).takePage(maxRobots);
        await review(trx, robots ?? []);
        return robots !== undefined;
      });
      return areRobotsLeft || arePagesLeft;
    },
  };
}
