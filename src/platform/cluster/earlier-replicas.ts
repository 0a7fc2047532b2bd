import { setTimeout as sleep } from 'node:timers/promises';

export interface EarlierWait<Earlier> {
  /** Live replicas that started before this one. */
  findEarlier(): Promise<readonly Earlier[]>;
  isInConflict(earlier: Earlier): boolean;
  /** Called once, if there is one. */
  onWait(): void;
  refusal(): Error;
  waitMs: number; // longer than a lease, so that only replicas that renew their lease are left
  lookEveryMs?: number; // default 250 ms
}

/**
 * Resolves once no earlier replica is in conflict with this one: at once if there is none. A lease outlives its process by
 * 15 s, so this waits for its end.
 * @throws the refusal, if such a replica stays alive
 */
export async function waitForEarlier<Earlier>(settings: EarlierWait<Earlier>): Promise<void> {
  const { findEarlier, isInConflict, onWait, refusal, waitMs, lookEveryMs = 250 } = settings;
  for (let waitedMs = 0; (await findEarlier()).some(isInConflict); waitedMs += lookEveryMs) {
    if (waitedMs >= waitMs) throw refusal();
    if (waitedMs === 0) onWait();
    await sleep(lookEveryMs);
  }
}
