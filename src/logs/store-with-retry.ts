import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { eachInSlices } from '../kernel/slices.ts';
import { isDatabaseAway, isLasting } from '../platform/db/faults.ts';
import {
  deliveryOf,
  dropStored,
  prependGap,
  replaceByGap,
  storedOutcome,
  type Batch,
  type LogOutcome,
} from './batch.ts';
import { byOrg } from './by-org.ts';
import type { Delivery, StoreOutcome } from './delivery.ts';
import { makeLogPartitions } from './partitions.ts';
import { createQuotaGaps } from './quota-gaps.ts';
import { logStore } from './store.ts';

interface StoreWithRetrySettings {
  db: Knex;
  log: Logger;
  /** Whether the database has room for records. */
  hasRoom(): boolean;
  retryForMs: number;
  /** Whether to give up at once while the database is unavailable. */
  isClosing(): boolean;
  hasFailed(batch: Batch): boolean;
  /** Records were not stored, because of the quota of their org. */
  onOverQuota(records: number): void;
  /** Called once per batch. */
  decide(batch: Batch, outcome: LogOutcome): void;
}

const firstWaitMs = 100;
const longestWaitMs = 2_000;
/** How long records of orgs that have an error of their own, such as a damaged page, are retried: those of others wait behind them. */
const ownErrorMs = 3_000;

/** "no partition of relation found for row" is a check violation. */
const isMissingPartition = (error: unknown): boolean => (error as { code?: unknown }).code === '23514';

/**
 * Stores batches, at most one per robot, and retries while the database is unavailable. An attempt whose response was
 * lost may have been stored. The next one then finds the head moved, reads it and drops what is stored.
 * @returns a function that resolves when every batch is decided
 */
export function createStoreWithRetry({
  db,
  log,
  hasRoom,
  retryForMs,
  isClosing,
  hasFailed,
  onOverQuota,
  decide,
}: StoreWithRetrySettings) {
  const store = logStore(db, hasRoom);
  const gaps = createQuotaGaps();

  async function settle(batches: readonly Batch[]): Promise<void> {
    let giveUpAt = performance.now() + retryForMs;
    let hasMadePartitions = false;
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      const open = batches.filter(({ isDecided }) => !isDecided);
      try {
        if (open.length === 0) return;
        await attempt(open);
        waitMs = firstWaitMs / 2; // the rest found its head moved, and is retried at once
      } catch (error) {
        if (isLasting(error)) return divide(batches, error);
        if (isMissingPartition(error) && !hasMadePartitions) {
          hasMadePartitions = true;
          await makeLogPartitions(db).catch(() => undefined); // the next attempt reports what is wrong
          continue;
        }
        if (isClosing() || performance.now() + waitMs > giveUpAt) {
          log.error({ err: error, robots: open.length }, 'log records could not be stored; their agents keep them');
          for (const batch of batches) if (!batch.isDecided) decide(batch, { kind: 'failed' });
          return;
        }
        log.warn({ err: error, robots: open.length }, 'log records could not be stored; retrying');
        if (!isDatabaseAway(error) && (await someCanBeStored(open)))
          giveUpAt = Math.min(giveUpAt, performance.now() + ownErrorMs);
        await sleep(waitMs);
      }
    }
  }

  /** Attempts each org by itself, after an error of all. Returns whether one had none. */
  async function someCanBeStored(batches: readonly Batch[]): Promise<boolean> {
    const orgs = byOrg(batches, ({ spool }) => spool.link.orgId);
    if (orgs.size === 1) return false;
    let isOne = false;
    for (const ofOrg of orgs.values()) {
      try {
        await attempt(ofOrg);
        isOne = true;
      } catch (error) {
        if (isDatabaseAway(error)) return isOne; // of all
      }
    }
    return isOne;
  }

  /** A robot whose records cannot be stored does not hold up the others. */
  async function divide(batches: readonly Batch[], error: unknown): Promise<void> {
    const open = batches.filter(({ isDecided }) => !isDecided);
    const [first] = open;
    if (first && open.length === 1) {
      log.error({ err: error, robot: first.spool.link.robotId }, 'log records of a robot cannot be stored');
      return decide(first, { kind: 'failed' });
    }
    const half = Math.ceil(open.length / 2);
    await settle(open.slice(0, half));
    await settle(open.slice(half));
  }

  /** Leaves batches open that must be retried because others have moved their head. */
  async function attempt(batches: readonly Batch[]): Promise<void> {
    await readHeads(batches.filter(({ spool }) => spool.storedSeq === undefined));
    const open: Batch[] = [];
    const deliveries: Delivery[] = [];
    await eachInSlices(batches, (batch) => {
      const { storedSeq } = batch.spool;
      if (hasFailed(batch)) return decide(batch, { kind: 'failed' });
      if (storedSeq === undefined) return decide(batch, { kind: 'stale' }); // no such robot
      if (dropStored(batch, storedSeq)) return decide(batch, storedOutcome(batch));
      showDropped(batch);
      open.push(batch);
      deliveries.push(deliveryOf(batch));
    });
    if (open.length === 0) return;
    const outcomes = await store.store(deliveries);
    await eachInSlices(open, (batch, index) => settleBatch(batch, outcomes[index] ?? 'stale'));
  }

  /** Leaves it open if its head has moved. */
  function settleBatch(batch: Batch, kind: StoreOutcome): void {
    if (kind === 'refused') return drop(batch);
    if (kind === 'reopened') return gaps.reopen(batch.spool.link.orgId);
    batch.spool.storedSeq = kind === 'stored' ? batch.seqs.at(-1) : undefined;
    if (kind === 'stored') decide(batch, storedOutcome(batch));
    if (kind === 'stale') decide(batch, { kind });
  }

  /** Acknowledges records that the quota of the org refused, or leaves a gap record in their place, to be stored. */
  function drop(batch: Batch): void {
    const { spool, seqs, lines } = batch;
    onOverQuota(lines.length);
    const gap = gaps.drop(spool.link.orgId, spool.link.robotId, lines);
    if (gap) return replaceByGap(batch, gap);
    spool.storedSeq = seqs.at(-1);
    decide(batch, storedOutcome(batch, true));
  }

  /** The gap record of what was refused before precedes the records. */
  function showDropped(batch: Batch): void {
    const { orgId, robotId } = batch.spool.link;
    const gap = gaps.take(orgId, robotId);
    if (gap) prependGap(batch, gap);
  }

  async function readHeads(batches: readonly Batch[]): Promise<void> {
    if (batches.length === 0) return;
    const heads = await store.readHeads(batches.map(({ spool: { link, name } }) => ({ ...link, spool: name })));
    batches.forEach(({ spool }, index) => {
      spool.storedSeq = heads[index];
      spool.foundSeq ??= heads[index];
    });
  }

  return settle;
}
