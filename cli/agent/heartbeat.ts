import type { HealthSnapshot, Heartbeat } from '../../generated/frames.js';
import { limits } from '../../generated/protocol.js';
import { hasChanged } from './health/change.ts';

/** A whole snapshot so often, changed or not. An idle day is then under 5 MB on the wire, TCP and TLS included. */
const snapshotEveryMs = 60_000;

/** Makes each heartbeat: with a snapshot when a link begins, when something changed, and once a minute. */
export function heartbeats(sample: () => HealthSnapshot): { linkBegan(): void; next(): Heartbeat } {
  let lastSent: HealthSnapshot | undefined;
  let lastSentAt = 0;
  return {
    linkBegan() {
      lastSent = undefined;
    },
    next() {
      const health = small(sample());
      const now = performance.now();
      // A second early counts: heartbeats of 10 s come now 59.99 and now 60.01 s after the sixth before.
      if (lastSent && now - lastSentAt < snapshotEveryMs - 1000 && !hasChanged(lastSent, health))
        return { type: 'heartbeat' };
      lastSent = health;
      lastSentAt = now;
      return { type: 'heartbeat', health };
    },
  };
}

/** What the robot's own programs add goes first where it is too much. */
function small(health: HealthSnapshot): HealthSnapshot {
  if (Buffer.byteLength(JSON.stringify(health)) <= limits.maxSnapshotBytes) return health;
  const rest = { ...health };
  delete rest.extra;
  return rest;
}
