import type { HealthSnapshot, Heartbeat } from '../../generated/frames.js';
import { limits } from '../../generated/protocol.js';
import { hasChanged } from './health/change.ts';

/**
 * Interval of full snapshots, changed or not. An idle day then takes less than 5 MB on the wire, TCP and TLS included.
 */
const snapshotEveryMs = 60_000;

/** Makes each heartbeat: with a snapshot when a link begins, when a value changed, and once a minute. */
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
      // A second early is accepted: six heartbeats of 10 s take 59.99 or 60.01 s.
      if (lastSent && now - lastSentAt < snapshotEveryMs - 1000 && !hasChanged(lastSent, health))
        return { type: 'heartbeat' };
      lastSent = health;
      lastSentAt = now;
      return { type: 'heartbeat', health };
    },
  };
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * Omits the values of the robot's own programs if the snapshot is too large, and says so in it. The service omits more if
 * that is not enough.
 */
function small(health: HealthSnapshot): HealthSnapshot {
  if (health.extra === undefined || sizeOf(health) <= limits.maxSnapshotBytes) return health;
  const { extra, ...rest } = health;
  const message = `${sizeOf(extra)} bytes; a snapshot has at most ${limits.maxSnapshotBytes}`;
  return { ...rest, omitted: [{ part: 'extra', reason: 'too_large', message }] };
}
