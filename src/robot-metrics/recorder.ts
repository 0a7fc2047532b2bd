import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { HealthSnapshot } from '../../generated/frames.d.ts';
import { waitAtMost } from '../kernel/wait-at-most.ts';
import { timePartitions } from '../platform/db/time-partitions.ts';
import { emptyRows } from './history.ts';
import { blockMs, measure, sampleMs, samplesPerBlock, seriesNames, type Block, type Measurements } from './model.ts';
import { packSamples } from './packing.ts';
import { metricStore, type PackedRow } from './store.ts';

interface RecorderSettings {
  db: Knex;
  log: Logger;
  /** The clock of this replica, ms since 1970. Default: `Date.now`. */
  nowMs?: () => number;
  /** How often ended blocks are written, in ms. Default: 5 s. */
  flushEveryMs?: number;
}

interface Recorder {
  /**
   * Measures a snapshot. The first of each 30 s is a sample: `openBlock` then has the samples that are not written yet.
   */
  take(
    robot: { orgId: string; robotId: string },
    snapshot: HealthSnapshot,
  ): { measured: Measurements; openBlock?: { startedAt: Date; samples: Buffer } };
  /** Writes all samples, if the database responds in time. */
  stop(): Promise<void>;
}

/** A block that robots of this replica still add to. */
interface OpenBlock extends Block {
  orgId: string;
  robotId: string;
  slot: number; // of the newest sample
}

/** Rows per statement. */
const maxRows = 500;
/** Blocks that wait while the database is unavailable, about 30 MB; the oldest are dropped. Half an hour of 30,000 robots. */
const maxWaiting = 100_000;
/** "no partition of relation found for row" is a check violation. */
const isMissingPartition = (error: unknown): boolean => (error as { code?: unknown }).code === '23514';
/** Time limit of the last writes when the service stops. */
const stopWithinMs = 2_000;

/**
 * Keeps the samples of this replica's robots in memory, and writes them once per ten minutes and robot. Each robot has
 * its own begin of the ten minutes, from its ID, so that writes are spread over time. Nothing waits for a write: if it
 * fails, it is retried, and health and presence are stored as usual. After a crash, samples of at most ten minutes are
 * missing.
 */
export function createRecorder({ db, log, nowMs = Date.now, flushEveryMs = 5_000 }: RecorderSettings): Recorder {
  const store = metricStore(db);
  const open = new Map<string, OpenBlock>(); // by robot
  let waiting: PackedRow[] = [];
  let writing: Promise<void> | undefined;
  let hasFailed = false;

  function take({ orgId, robotId }: { orgId: string; robotId: string }, snapshot: HealthSnapshot) {
    const measured = measure(snapshot);
    const now = nowMs();
    const phaseMs = phaseOf(robotId);
    const startedAtMs = now - ((((now - phaseMs) % blockMs) + blockMs) % blockMs);
    const slot = Math.floor((now - startedAtMs) / sampleMs);
    let block = open.get(robotId);
    if (block?.startedAtMs !== startedAtMs) {
      if (block) enqueue(block);
      block = { orgId, robotId, startedAtMs, slot: -1, rows: emptyRows(samplesPerBlock) };
      open.set(robotId, block);
    }
    if (slot === block.slot) return { measured };
    block.slot = slot;
    seriesNames.forEach((name, index) => {
      const row = block.rows[index];
      if (row) row[slot] = measured[name];
    });
    return { measured, openBlock: { startedAt: new Date(startedAtMs), samples: packSamples(block.rows) } };
  }

  function enqueue({ orgId, robotId, startedAtMs, rows }: OpenBlock): void {
    waiting.push({ orgId, robotId, startedAt: new Date(startedAtMs), body: packSamples(rows) });
  }

  function enqueueEnded(now: number): void {
    for (const [robotId, block] of open) {
      // A clock that was set back ends blocks too.
      if (now >= block.startedAtMs && now < block.startedAtMs + blockMs) continue;
      open.delete(robotId);
      enqueue(block);
    }
  }

  async function insert(batch: readonly PackedRow[]): Promise<void> {
    try {
      await store.insertBlocks(batch);
    } catch (error) {
      if (!isMissingPartition(error)) throw error;
      // Soon after midnight of the first day, blocks began the day before.
      await timePartitions(db, 'robot_metric_blocks').makeAhead(1);
      await store.insertBlocks(batch).catch((again: unknown) => {
        if (!isMissingPartition(again)) throw again;
        log.error({ err: again, blocks: batch.length }, 'metrics were dropped: the clock of this replica is wrong');
      });
    }
  }

  async function write(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, maxRows);
        await insert(batch);
        waiting = waiting.slice(batch.length);
      }
      if (hasFailed) log.info('metrics are stored again');
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log.warn({ err: error, blocks: waiting.length }, 'metrics could not be stored; retrying');
      hasFailed = true;
      const excess = waiting.length - maxWaiting;
      if (excess <= 0) return;
      waiting = waiting.slice(excess);
      log.error({ blocks: excess }, 'metrics were dropped: the database did not accept them for too long');
    }
  }

  function flush(): Promise<void> {
    enqueueEnded(nowMs());
    return (writing ??= write().finally(() => (writing = undefined)));
  }

  const timer = setInterval(() => void flush(), flushEveryMs).unref();

  return {
    take,
    async stop() {
      clearInterval(timer);
      await waitAtMost(
        stopWithinMs,
        (async () => {
          await writing;
          enqueueEnded(Infinity);
          await flush();
        })(),
      );
    },
  };
}

/** When the ten minutes of a robot begin; the end of an ID is random. */
const phaseOf = (robotId: string): number => (Number.parseInt(robotId.slice(-6), 16) % samplesPerBlock) * sampleMs;
