import { limits } from '../../../generated/protocol.js';
import type { Role } from '../../kernel/caller.ts';

/** What is read of robots. */
type ViewerKind = 'shell' | 'logs' | 'camera' | 'topic';

/** So many of each kind, those of which there are none included. */
export function countKinds(viewers: Iterable<ViewerFacts>): Record<ViewerKind, number> {
  const counts = { shell: 0, logs: 0, camera: 0, topic: 0 };
  for (const { kind } of viewers) counts[kind] += 1;
  return counts;
}

/** Who reads a stream of a robot, on a socket of this process. */
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
  accessPollMs: number; // how often tokens are asked for while no hints arrive
  openWithinMs: number; // how long an agent may take to dial back
  onlineEveryMs: number; // how often it is asked whether a robot whose logs are followed is still there
}

export const defaultLimits: ViewerLimits = {
  perToken: 500, // a fleet's logs are a socket a robot
  perRobot: 100,
  perOrg: 2_000,
  pingEveryMs: limits.pingEveryMs,
  deadAfterMs: limits.deadAfterMs,
  accessPollMs: 5_000,
  openWithinMs: limits.openWithinMs,
  onlineEveryMs: 3_000,
};
