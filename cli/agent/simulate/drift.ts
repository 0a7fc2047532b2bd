import { driftWatch, type DriftWatch } from '../releases/drift.ts';
import { sha256 } from '../orders/payload.ts';
import type { Profile } from './profile.ts';
import { between, seeded } from './random.ts';
import type { Counts } from './tally.ts';

interface DriftParts extends Pick<Parameters<typeof driftWatch>[0], 'orders' | 'send'> {
  profile: Profile;
  /** The seed of this robot. */
  seed: string;
  counts: Counts;
}

interface PlayedDrift extends DriftWatch {
  /** The release of a lane runs. After a while, something else does. */
  applied(lane: string, digest: string): void;
}

const releaseLane = 'release:';

/** Reports what runs on a robot on which something else runs some time after each release, until the next one. */
export function playDrift({ profile, seed, counts, orders, send }: DriftParts): PlayedDrift {
  const random = seeded(`${seed}/drifts`);
  const proved = new Map<string, { digest: string; driftsAtMs: number; isCounted: boolean }>();

  async function running(kind: string): Promise<string | undefined> {
    const release = proved.get(`${releaseLane}${kind}`);
    if (!release || performance.now() < release.driftsAtMs) return release?.digest;
    if (!release.isCounted) counts.drifts += 1;
    release.isCounted = true;
    return sha256(`other than ${release.digest}`);
  }

  const watch = driftWatch({ installed: async () => [], orders, running, send });
  return {
    ...watch,
    applied(lane, digest) {
      const driftsAtMs = performance.now() + between(random, 0.5, 1.5) * profile.drift_minutes * 60_000;
      proved.set(lane, { digest, driftsAtMs, isCounted: false });
    },
  };
}
