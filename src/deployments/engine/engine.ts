import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Tracing } from '../../platform/tracing.ts';
import { createClaimer } from './claimer.ts';
import { createFreezer } from './controls/freezer.ts';
import type { OrderPort } from './order-port.ts';
import { dispatch } from './dispatching.ts';
import type { Expanded } from './target-expansion.ts';
import { openOrderReader } from './open-orders.ts';
import { recount } from './recount.ts';
import { createReportBatcher } from './report-batcher.ts';
import { createMatcher } from './dynamic/matcher.ts';
import { watchDue } from './due-watch.ts';
import { createRetrier } from './retries/retrier.ts';
import { createRolloutWorker } from './rollouts/worker.ts';
import { createSweeper } from './sweeper.ts';
import { runPeriodically } from './run-periodically.ts';

const recountEveryMs = 60_000;

interface EngineSettings {
  db: Knex;
  bus: Bus;
  log: Logger;
  tracing?: Tracing | undefined;
  /** Callbacks for metrics; none by default. */
  onClaimed?(claimed: Expanded): void;
  onReports?(reports: number, seconds: number): void;
  onMismatches?(count: number): void;
}

export interface DeploymentEngine {
  orderPort: OrderPort;
  start(): void;
  /** Starts no more deployments and ends no more targets. Reports are still accepted, for links that are still up. */
  rest(): Promise<void>;
  /** Rests, and records the queued reports; later ones fail. */
  stop(): Promise<void>;
}

/** The engine of this replica. Any number of replicas run one on the same database, independently. */
export function createDeploymentEngine({
  db,
  bus,
  log,
  tracing,
  onClaimed = () => undefined,
  onReports = () => undefined,
  onMismatches = () => undefined,
}: EngineSettings): DeploymentEngine {
  const rollouts = createRolloutWorker({ db, bus, log, tracing });
  const reports = createReportBatcher({ db, log, onRecorded: onReports, onDecisionDue: rollouts.wake });
  const works = [
    ...createClaimer({ db, bus, log, tracing, onClaimed }),
    createSweeper({ db, bus, log }),
    createFreezer({ db, bus, log }),
    createRetrier({ db, bus, log }),
    createMatcher({ db, bus, log }),
  ];
  const workers = [
    ...works,
    rollouts,
    watchDue({ db, log, works: [...works, ...rollouts.works] }),
    runPeriodically({
      run: count,
      retryMs: recountEveryMs,
      onError: (error) => log.warn({ err: error }, 'targets could not be counted'),
    }),
  ];

  async function count(): Promise<number> {
    const wrong = (await recount(db)) ?? [];
    if (wrong.length > 0)
      log.error({ deployments: wrong.slice(0, 10) }, 'counts of a deployment differ from its targets');
    onMismatches(wrong.length);
    return recountEveryMs;
  }

  const rest = async () => {
    await Promise.all(workers.map((each) => each.stop()));
  };
  return {
    orderPort: {
      ...openOrderReader(db, tracing !== undefined),
      dispatch: (robots) => dispatch(db, robots, { tracing }),
      report: reports.report,
      running: reports.running,
    },
    start: () => workers.forEach((each) => each.start()),
    rest,
    async stop() {
      await rest();
      await reports.close();
    },
  };
}
