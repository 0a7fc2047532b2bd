import { retryOnConflictOrDelete } from '../platform/db/batch-calls.ts';
import type { ConditionState } from './condition-state.ts';
import { snapshotOf, type Snapshot } from './facts.ts';
import { changesNothing, judge } from './judge.ts';
import type { RuleCache } from './rule-cache.ts';
import type { RobotKey, RobotRecord, StatusNote, StatusStore } from './status-store.ts';

/** The conditions of a robot whose link is here. */
export interface Watch extends RobotKey {
  /** The robot as it was read, with the state and the version that this replica expects to be stored. */
  record: RobotRecord | undefined;
  severity: number;
  dueMs: number | undefined; // when a pending condition begins
  notes: StatusNote[]; // of what is not stored yet
  /** The latest snapshot, while it is not evaluated, its result is not stored, or a condition is pending. */
  snapshot: Snapshot | undefined;
  savedPending: string;
  unsavedMs: number | undefined; // since when the pending conditions differ from the stored ones, by the process
  isOver: boolean;
}

interface ObserverSettings {
  statuses: StatusStore;
  rules: RuleCache;
  /** Requests the evaluation of robots with their stored snapshots. */
  requestReviews(robots: readonly RobotKey[]): Promise<void>;
  /** Unix time in ms by the clock of the database. */
  databaseMs: () => number;
  /** How often `run` compares the versions of all robots; 30 s by default. */
  compareEveryMs?: number;
  /** How long after a change of rules `run` compares them too; 3 s by default: by then most reviews are written. */
  compareAfterRulesMs?: number;
  /** The clock of these intervals; that of the process by default. */
  nowMs?: () => number;
}

const maxRobots = 500;
/** Robots whose versions one statement compares. */
const comparedAtATime = 2_000;
/** A condition that is pending for longer is stored: another replica goes on from there if this one ends. */
const savePendingAfterMs = 15_000;

/**
 * Evaluates the conditions of robots as their snapshots arrive. `run` reads and writes what is due; a failed write is
 * repeated by the next run. A status that was changed elsewhere is read again and evaluated anew: a write finds that, or
 * the comparison of all versions. A review may have read an older snapshot than the one that was evaluated here, and this
 * replica may have evaluated a snapshot before it heard of the rule that the review was for. Once its link has ended, a robot
 * is not read here again: a review evaluates its last snapshot.
 */
export function conditionObserver({
  statuses,
  rules: cache,
  requestReviews,
  databaseMs,
  compareEveryMs = 30_000,
  compareAfterRulesMs = 3_000,
  nowMs = () => performance.now(),
}: ObserverSettings) {
  const watches = new Map<string, Watch>();
  const unread = new Set<Watch>();
  const dirty = new Set<Watch>();
  const unsettled = new Set<Watch>(); // their links ended, and the result of their last snapshot is not stored
  let compareAtMs = nowMs() + compareEveryMs;
  let afterRulesMs = 0; // when the last change of rules is to be followed by a comparison

  function readAgain(watch: Watch): void {
    watch.record = undefined;
    watch.notes = [];
    dirty.delete(watch);
    (watch.isOver ? unsettled : unread).add(watch);
  }

  function evaluate(watch: Watch, snapshot: Snapshot | undefined): void {
    const { record } = watch;
    const rules = cache.find(watch.orgId);
    if (!record || !rules) {
      watch.snapshot = snapshot ?? watch.snapshot;
      unread.add(watch);
      return;
    }
    const atMs = databaseMs();
    if (snapshot && changesNothing(record, rules, snapshot, atMs)) {
      watch.severity = 0;
      watch.dueMs = undefined;
      if (watch.savedPending === '') watch.unsavedMs = undefined;
      watch.snapshot = dirty.has(watch) ? snapshot : undefined;
      return;
    }
    const { write, isVisible } = judge(record, rules, snapshot, atMs);
    const { state, isKnown, maintenance, severity, dueAt, notes } = write;
    watch.record = { ...record, state, isKnown, maintenance };
    watch.severity = severity;
    watch.dueMs = dueAt?.getTime();
    watch.notes.push(...notes);
    if (pendingText(state) === watch.savedPending) watch.unsavedMs = undefined;
    else watch.unsavedMs ??= nowMs();
    if (isVisible) dirty.add(watch);
    watch.snapshot = dirty.has(watch) || watch.dueMs !== undefined ? snapshot : undefined;
  }

  async function read(batch: readonly Watch[]): Promise<void> {
    await cache.load(batch.map(({ orgId }) => orgId));
    const records = new Map((await statuses.read(batch)).map((record) => [record.robotId, record]));
    for (const watch of batch) {
      unread.delete(watch);
      const record = records.get(watch.robotId);
      if (!record || watch.isOver) continue;
      // Its link is here, so it is online, whatever the stored link says by now.
      watch.record = { ...record, offlineSeconds: 0, snapshot: undefined };
      watch.savedPending = pendingText(record.state);
      evaluate(watch, watch.snapshot ?? snapshotOf(record.snapshot));
    }
  }

  async function write(batch: readonly Watch[]): Promise<void> {
    const sent = batch.flatMap((watch) => (watch.record ? [{ watch, status: statusOf(watch, watch.record) }] : []));
    const written = await retryOnConflictOrDelete(() => statuses.write(sent.map(({ status }) => status)));
    for (const { watch, status } of sent) {
      if (!watch.record) continue; // to be read again since
      if (!written.has(watch.robotId)) {
        readAgain(watch);
        continue;
      }
      watch.record = { ...watch.record, version: status.version + 1 };
      watch.notes = watch.notes.slice(status.notes.length);
      watch.savedPending = pendingText(status.state);
      if (pendingText(watch.record.state) === watch.savedPending) watch.unsavedMs = undefined;
      if (!dirty.has(watch) && watch.dueMs === undefined) watch.snapshot = undefined;
    }
  }

  async function compare(): Promise<void> {
    const all = [...watches.values()];
    for (let from = 0; from < all.length; from += comparedAtATime) {
      const some = all.slice(from, from + comparedAtATime);
      const changed = await statuses.changed(
        some.flatMap(({ orgId, robotId, record }) => (record ? [{ orgId, robotId, version: record.version }] : [])),
      );
      for (const watch of some) if (changed.has(watch.robotId)) readAgain(watch);
    }
  }

  return {
    /** A robot's link is up. The result belongs to this link. */
    watch({ orgId, robotId }: RobotKey): Watch {
      const watch: Watch = {
        orgId,
        robotId,
        record: undefined,
        severity: 0,
        dueMs: undefined,
        notes: [],
        snapshot: undefined,
        savedPending: '',
        unsavedMs: undefined,
        isOver: false,
      };
      watches.set(robotId, watch);
      unread.add(watch);
      return watch;
    },

    /** A sign of life, with a snapshot if there is one. */
    beat(watch: Watch, snapshot: Snapshot | undefined): void {
      if (snapshot) evaluate(watch, snapshot);
      else if (watch.dueMs !== undefined && databaseMs() >= watch.dueMs) evaluate(watch, watch.snapshot);
      if (watch.unsavedMs !== undefined && nowMs() - watch.unsavedMs >= savePendingAfterMs) dirty.add(watch);
    },

    /** The link has ended. What is not stored yet still will be. */
    end(watch: Watch): void {
      watch.isOver = true;
      if (unread.delete(watch) && watch.snapshot) unsettled.add(watch);
      if (watches.get(watch.robotId) === watch) watches.delete(watch.robotId);
      if (watch.unsavedMs !== undefined) dirty.add(watch);
    },

    /** The robot's place or labels changed. */
    changed(robotId: string): void {
      const watch = watches.get(robotId);
      if (watch) readAgain(watch);
    },

    /** Rules changed. A review may not have seen the snapshots of the last second. */
    rulesChanged(): void {
      afterRulesMs = nowMs() + compareAfterRulesMs;
      compareAtMs = Math.min(compareAtMs, afterRulesMs);
    },

    /** Changes of any robot may have been missed. */
    allChanged(): void {
      for (const watch of watches.values()) readAgain(watch);
    },

    async run(): Promise<void> {
      const atMs = nowMs();
      if (atMs >= compareAtMs) {
        compareAtMs = Math.min(atMs + compareEveryMs, afterRulesMs > atMs ? afterRulesMs : Infinity);
        await compare();
      }
      for (let batch = first(unread); batch.length > 0; batch = first(unread)) await read(batch);
      // What changes during the writes is left for the next run.
      const changed = [...dirty];
      for (let from = 0; from < changed.length; from += maxRobots) {
        const batch = changed.slice(from, from + maxRobots);
        for (const watch of batch) dirty.delete(watch);
        await write(batch).catch((error: unknown) => {
          for (const watch of changed.slice(from)) if (watch.record) dirty.add(watch);
          throw error;
        });
      }
      const left = [...unsettled];
      if (left.length > 0) await requestReviews(left);
      for (const watch of left) unsettled.delete(watch);
    },
  };
}

function first(watches: ReadonlySet<Watch>): Watch[] {
  const batch: Watch[] = [];
  for (const watch of watches) if (batch.push(watch) === maxRobots) break;
  return batch;
}

const statusOf = ({ severity, dueMs, notes }: Watch, record: RobotRecord) => ({
  orgId: record.orgId,
  robotId: record.robotId,
  version: record.version,
  isKnown: record.isKnown,
  severity,
  state: record.state,
  dueAt: dueMs === undefined ? undefined : new Date(dueMs),
  maintenance: record.maintenance,
  notes: [...notes],
});

/** The pending rules and since when; empty if there are none. */
const pendingText = ({ pending }: ConditionState): string =>
  Object.entries(pending)
    .map(([id, { sinceMs }]) => `${id} ${sinceMs}`)
    .join(',');
