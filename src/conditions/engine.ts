import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Bus } from '../platform/bus/bus.ts';
import type { Snapshot } from './facts.ts';
import { conditionObserver, type Watch } from './observer.ts';
import { reviewStore } from './review-store.ts';
import { conditionReviewer } from './reviewer.ts';
import { ruleCache } from './rule-cache.ts';
import { statusStore, type RobotKey } from './status-store.ts';

const everyMs = 1_000;

/** Receives the links of this replica and the values that their robots send. */
export interface ConditionPort {
  /** A robot's link is up. The result belongs to this link. */
  watch(robot: RobotKey): Watch;
  /** A sign of life, with the health snapshot that came with it. */
  beat(watch: Watch, snapshot: Snapshot | undefined): void;
  /** The link has ended. */
  end(watch: Watch): void;
}

interface EngineSettings {
  db: Knex;
  bus: Bus;
  log: Logger;
  /** Unix time in ms by the clock of the database: replicas whose machines differ agree on when conditions began. */
  databaseMs: () => number;
}

/** Evaluates the conditions of all robots, until it is stopped. Every replica runs one. */
export function createConditionEngine({ db, bus, log, databaseMs }: EngineSettings) {
  const rules = ruleCache(db, bus);
  const { requestEach: requestReviews } = reviewStore(db);
  const observer = conditionObserver({ statuses: statusStore(db), rules, requestReviews, databaseMs });
  const reviewer = conditionReviewer(db, databaseMs);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStopping = false;
  const failed = new Set<string>();

  bus.subscribe({
    hint(hint) {
      if (hint.topic === 'robot_changed') observer.changed(hint.robotId);
      if (hint.topic !== 'conditions_changed') return;
      rules.changed(hint.orgId);
      observer.rulesChanged();
      if (timer) void runNext();
    },
    reset() {
      rules.allChanged();
      observer.allChanged();
    },
  });

  /** Of consecutive failures, the first is logged: everything is repeated each second. */
  async function attempt<T>(what: string, work: Promise<T>): Promise<T | undefined> {
    try {
      const result = await work;
      failed.delete(what);
      return result;
    } catch (error) {
      if (!failed.has(what)) log.warn({ err: error }, `${what} failed; retrying every second`);
      failed.add(what);
      return undefined;
    }
  }

  /** The two take turns: a review of all robots of a large org takes minutes. */
  async function run(): Promise<void> {
    let isLeft: boolean | undefined;
    do {
      await attempt('the evaluation of health snapshots', observer.run());
      isLeft = !isStopping && (await attempt('the review of conditions', reviewer.run()));
    } while (isLeft);
  }

  const runNext = () => (running ??= run().finally(() => (running = undefined)));

  return {
    port: { watch: observer.watch, beat: observer.beat, end: observer.end } satisfies ConditionPort,

    start(): void {
      timer = setInterval(() => void runNext(), everyMs);
      timer.unref();
    },

    /** Writes what is left. */
    async stop(): Promise<void> {
      isStopping = true;
      clearInterval(timer);
      timer = undefined;
      await running;
      await runNext();
    },
  };
}
