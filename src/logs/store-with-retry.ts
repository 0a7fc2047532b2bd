import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { dropStored, packBatch, storedOutcome, type Batch, type LogOutcome } from './batch.ts';
import { logPartitions } from './partitions.ts';
import { logStore } from './store.ts';

interface StoreWithRetrySettings {
  db: Knex;
  log: Logger;
  retryForMs: number;
  /** Whether to give up at once while the database is away. */
  isClosing(): boolean;
  hasFailed(batch: Batch): boolean;
  /** Told once of each batch. */
  decide(batch: Batch, outcome: LogOutcome): void;
}

const firstWaitMs = 100;
const longestWaitMs = 2_000;

/** The SQLSTATE of what no second try will mend: wrong data or wrong SQL. Everything else is the database being away, full or busy. */
const isLasting = (error: unknown): boolean => /^(2[12]|42|54)/.test(String((error as { code?: unknown }).code));
/** "no partition of relation found for row" is a check violation. */
const isMissingPartition = (error: unknown): boolean => (error as { code?: unknown }).code === '23514';

/**
 * Stores batches, at most one a robot, and tries again while the database is away. A try whose answer was lost may have been stored: the next
 * one then finds the head moved, reads it and drops what is stored.
 * @returns a function that resolves when every batch is decided
 */
export function createStoreWithRetry({ db, log, retryForMs, isClosing, hasFailed, decide }: StoreWithRetrySettings) {
  const store = logStore(db);

  async function settle(batches: readonly Batch[]): Promise<void> {
    const giveUpAt = performance.now() + retryForMs;
    let hasMadeDays = false;
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      const open = batches.filter(({ isDecided }) => !isDecided);
      try {
        if (open.length === 0) return;
        await attempt(open);
        waitMs = firstWaitMs / 2; // what is left found its head moved, and is tried at once
      } catch (error) {
        if (isLasting(error)) return divide(batches, error);
        if (isMissingPartition(error) && !hasMadeDays) {
          hasMadeDays = true;
          await logPartitions(db)
            .makeAhead()
            .catch(() => undefined); // the next try says what is wrong
          continue;
        }
        if (isClosing() || performance.now() + waitMs > giveUpAt) {
          log.error({ err: error, robots: open.length }, 'log records could not be stored; their agents keep them');
          for (const batch of batches) if (!batch.isDecided) decide(batch, { kind: 'failed' });
          return;
        }
        log.warn({ err: error, robots: open.length }, 'log records could not be stored; trying again');
        await sleep(waitMs);
      }
    }
  }

  /** What cannot be stored of one robot does not hold up the others. */
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

  /** Leaves open what must be tried again because others have moved its head. */
  async function attempt(batches: readonly Batch[]): Promise<void> {
    await readHeads(batches.filter(({ spool }) => spool.storedSeq === undefined));
    for (const batch of batches) {
      const { storedSeq } = batch.spool;
      if (hasFailed(batch)) decide(batch, { kind: 'failed' });
      else if (storedSeq === undefined)
        decide(batch, { kind: 'stale' }); // no such robot
      else if (dropStored(batch, storedSeq)) decide(batch, storedOutcome(batch));
    }
    const open = batches.filter(({ isDecided }) => !isDecided);
    if (open.length === 0) return;
    const outcomes = await store.store(await Promise.all(open.map(packBatch)));
    open.forEach((batch, index) => {
      const kind = outcomes[index]?.kind ?? 'stale';
      batch.spool.storedSeq = kind === 'stored' ? batch.seqs.at(-1) : undefined;
      if (kind === 'stored') decide(batch, storedOutcome(batch));
      if (kind === 'stale') decide(batch, { kind });
    });
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
