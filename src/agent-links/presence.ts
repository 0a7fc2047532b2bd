import type { Logger } from 'pino';
import { waitAtMost } from '../kernel/wait-at-most.ts';
import { retryOnConflictOrDelete } from '../platform/db/batch-calls.ts';
import { isDatabaseAway, isDatabaseLate, isOfSomeRows } from '../platform/db/faults.ts';
import type { Link } from './link.ts';
import type { Beat, Ending, LinkLimits, Replica, OwnFacts, Staleness } from './model.ts';
import type { replicaStore } from './replica-store.ts';
import type { linkStore } from './store.ts';

/** Rows per statement, and so the maximum number of links written per interval. */
const maxRows = 2_000;
/**
 * Renewals in a row before this replica judges others. After a database outage, every replica must have had its chance
 * to renew.
 */
const renewalsBeforeSweep = 3;
/** After a failed renewal. */
const retryRenewalMs = 1_000;
const serviceFailed = { reason: 'service_failed', code: undefined, closeReason: undefined } as const;
/** Time limit of the final writes when the service stops. */
const lastWordsMs = 2_000;

interface PresenceSettings {
  store: ReturnType<typeof linkStore>;
  replicas: ReturnType<typeof replicaStore>;
  /** Published to the other replicas. */
  facts(): OwnFacts;
  log: Logger;
  limits: Pick<LinkLimits, 'leaseMs' | 'renewEveryMs' | 'flushEveryMs' | 'endUnknownEveryMs'>;
  links: ReadonlyMap<string, Link>; // those that are up, by robot
  /** These links are no longer the current ones of their robots. */
  onStale(links: [Link, Staleness][]): void;
  onFlush(seconds: number): void;
  /** The other replicas, at each renewal of the lease. */
  onOthers(others: readonly Replica[]): void;
}

/**
 * Writes the state of this replica's links: signs of life and ends every second, its own lease, and the ends of links
 * that dead replicas left.
 */
export function presence(settings: PresenceSettings) {
  const { store, replicas, facts, log, limits, links, onStale, onFlush, onOthers } = settings;
  const dirty = new Set<Link>();
  let endings: { link: Link; ending: Ending }[] = [];
  let renewedAtMs = -Infinity;
  let fault: 'unreachable' | 'busy' | undefined; // why the last renewal failed
  let renewals = 0;
  let ending: Promise<void> | undefined;
  let flushing: Promise<void> | undefined;
  let renewing: Promise<void> | undefined;
  let sweeping: Promise<void> | undefined;
  let next: NodeJS.Timeout | undefined; // renewal
  let stopping = false;

  /** Returns whether the work succeeded. What could not be written is kept and retried. */
  async function attempt(
    what: string,
    work: () => Promise<void>,
    onFailure?: (error: unknown) => void,
  ): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      log.warn({ err: error }, `${what} could not be written; retrying`);
      onFailure?.(error);
      return false;
    }
  }

  async function writeBeats(): Promise<void> {
    const batch: Link[] = [];
    for (const link of dirty) {
      dirty.delete(link);
      if (link.state === 'up' && !link.stale) batch.push(link);
      if (batch.length === maxRows) break;
    }
    if (batch.length === 0) return;
    const startedAt = performance.now();
    const beats = batch.map(takeBeat);
    const written = await attempt('signs of life', async () => {
      const known = await retryOnConflictOrDelete(() => store.beat(beats));
      onFlush((performance.now() - startedAt) / 1_000);
      const unknown = batch.filter((link) => !known.has(link.robotId) && link.state === 'up' && !link.stale);
      if (unknown.length > 0) await explain(unknown);
    });
    if (written) return;
    giveBack(batch, beats);
    for (const link of batch) dirty.add(link);
  }

  async function explain(unknown: Link[]): Promise<void> {
    const why = await store.whyStale(unknown);
    onStale(unknown.map((link) => [link, why.get(link.robotId) ?? 'gone']));
  }

  async function writeEndings(): Promise<void> {
    while (endings.length > 0) {
      const batch = endings.slice(0, maxRows);
      await writeLastSnapshots(batch.map(({ link }) => link));
      const written = await attempt('ended links', () => writeEach(batch.map(({ ending }) => ending)));
      if (!written) return;
      endings = endings.slice(batch.length);
    }
  }

  /** What these links sent just before they ended. No later sign of life has it, and it may say why a robot is gone. */
  async function writeLastSnapshots(links: readonly Link[]): Promise<void> {
    const unwritten = links.filter(({ snapshot, stale }) => snapshot !== undefined && !stale);
    if (unwritten.length === 0) return;
    const beats = unwritten.map(takeBeat);
    const written = await attempt('the last snapshots of links', async () => {
      await retryOnConflictOrDelete(() => store.beat(beats));
    });
    if (!written) giveBack(unwritten, beats);
  }

  /**
   * An end that the database refuses, which would be a bug of the service, is left out. It does not hold up the others.
   */
  async function writeEach(batch: Ending[]): Promise<void> {
    try {
      await retryOnConflictOrDelete(() => store.end(batch));
    } catch (error) {
      if (!isOfSomeRows(error)) throw error; // such as a full disk: all are retried
      const [first] = batch;
      if (batch.length === 1)
        return log.error({ err: error, robotId: first?.robotId }, 'an ended link could not be recorded');
      const half = Math.ceil(batch.length / 2);
      await writeEach(batch.slice(0, half));
      await writeEach(batch.slice(half));
    }
  }

  /**
   * Ends links that only the database has: the reply to the commit of their join was lost, or their end was. The end of
   * a link that is waiting to be written states a better reason.
   */
  async function endUnknown(): Promise<void> {
    await flushEndings();
    if (endings.length > 0) return;
    await attempt('the ends of unknown links', async () => {
      const silent = await replicas.findSilent();
      const unknown = silent.filter(({ robotId, epoch }) => links.get(robotId)?.epoch !== epoch);
      if (unknown.length === 0) return;
      await writeEach(unknown.map((link) => ({ ...link, ...serviceFailed })));
      log.info({ links: unknown.length }, 'ended links that this replica does not have');
    });
  }

  async function renew(): Promise<void> {
    const renewed = await attempt('the lease', renewAndSweep, (error) => {
      fault = isDatabaseAway(error) && !isDatabaseLate(error) ? 'unreachable' : 'busy';
      renewals = 0;
    });
    if (!stopping) next = setTimeout(() => void renewLease(), renewed ? limits.renewEveryMs : retryRenewalMs).unref();
  }

  async function renewAndSweep(): Promise<void> {
    const { lapsed, others } = await replicas.renewLease(limits.leaseMs, facts());
    renewedAtMs = performance.now();
    fault = undefined;
    onOthers(others);
    // Other replicas may have ended these links meanwhile.
    if (lapsed) for (const link of links.values()) dirty.add(link);
    renewals += 1;
    const othersDead = others.filter(({ isDead }) => isDead).map(({ id }) => id);
    if (othersDead.length === 0 || renewals < renewalsBeforeSweep) return;
    const ended = await retryOnConflictOrDelete(() => replicas.sweep(othersDead, limits.leaseMs));
    if (ended > 0) log.info({ replicas: othersDead, links: ended }, 'ended the links of dead replicas');
  }

  // Each of the four runs one at a time; a call during a run gets that run.
  const flushEndings = () => (ending ??= writeEndings().finally(() => (ending = undefined)));
  const flushBeats = () => (flushing ??= writeBeats().finally(() => (flushing = undefined)));
  const sweepUnknown = () => (sweeping ??= endUnknown().finally(() => (sweeping = undefined)));
  const renewLease = (): Promise<void> => (renewing ??= renew().finally(() => (renewing = undefined)));

  const timers: NodeJS.Timeout[] = [];
  const every = (ms: number, work: () => Promise<unknown>) => {
    const timer = setInterval(() => void work(), ms);
    timer.unref();
    timers.push(timer);
  };

  return {
    /**
     * Whether new links are accepted. Not while the database is unreachable, and not after the lease has expired because
     * the database is busy. Links stay up meanwhile.
     */
    get available() {
      return fault === undefined || (fault === 'busy' && performance.now() - renewedAtMs < limits.leaseMs);
    },

    async start(): Promise<void> {
      await renewLease();
      every(limits.flushEveryMs, flushBeats);
      every(limits.flushEveryMs, flushEndings);
      every(limits.endUnknownEveryMs, sweepUnknown);
    },

    /** The link was heard. */
    beat: (link: Link) => void dirty.add(link),

    /** The link has ended; written at once. */
    end(link: Link, ending: Ending): void {
      endings.push({ link, ending });
      void flushEndings();
    },

    flushEndings,

    /** Finds out why another statement found a link stale. */
    async check(link: Link): Promise<void> {
      dirty.add(link);
      await flushBeats();
    },

    /** Final writes: what can still be written, then this replica signs off. */
    async stop(): Promise<void> {
      stopping = true;
      clearTimeout(next);
      for (const timer of timers) clearInterval(timer);
      const words = async () => {
        await Promise.all([ending, flushing, renewing, sweeping]);
        await flushBeats();
        await flushEndings();
        await attempt('the end of this replica', () => replicas.leave());
      };
      await waitAtMost(lastWordsMs, words());
    },
  };
}

/** A sign of life of a link, with what waits to be written. */
function takeBeat(link: Link): Beat {
  const { orgId, robotId, epoch, snapshot, measured, openBlock } = link;
  link.snapshot = link.measured = link.openBlock = undefined;
  return { orgId, robotId, epoch, snapshot, measured, openBlock };
}

/** These could not be written; newer ones that arrived meanwhile stay. */
function giveBack(links: readonly Link[], beats: readonly Beat[]): void {
  links.forEach((link, index) => {
    link.snapshot ??= beats[index]?.snapshot;
    link.measured ??= beats[index]?.measured;
    link.openBlock ??= beats[index]?.openBlock;
  });
}
