import { limits } from '../../../generated/protocol.js';
import type { Role } from '../../kernel/caller.ts';

/** Kinds of live streams. */
type ViewerKind = 'shell' | 'logs' | 'camera' | 'topic';

/** Number of viewers of each kind, including kinds with none. */
export function countKinds(viewers: Iterable<ViewerFacts>): Record<ViewerKind, number> {
  const counts = { shell: 0, logs: 0, camera: 0, topic: 0 };
  for (const { kind } of viewers) counts[kind] += 1;
  return counts;
}

/** A viewer of a robot's stream, on a socket of this process. */
export interface ViewerFacts {
  kind: ViewerKind;
  orgId: string;
  tokenId: string;
  robotId: string;
  leastRole: Role;
}

/** Limits of viewers; a test shortens them. */
export interface ViewerLimits {
  perToken: number; // sockets at a time
  perRobot: number;
  perOrg: number;
  pingEveryMs: number;
  deadAfterMs: number;
  accessPollMs: number; // how often tokens are checked while no hints arrive
  openWithinMs: number; // how long an agent may take to dial back
  onlineEveryMs: number; // how often a robot with followed logs is checked to be online
}

export const defaultLimits: ViewerLimits = {
  perToken: 500, // following a fleet's logs takes one socket per robot
  perRobot: 100,
  perOrg: 2_000,
  pingEveryMs: limits.pingEveryMs,
  deadAfterMs: limits.deadAfterMs,
  accessPollMs: 5_000,
  openWithinMs: limits.openWithinMs,
  onlineEveryMs: 3_000,
};
