import { limits } from '../../generated/protocol.js';
import type { Role } from '../kernel/caller.ts';

/** Who reads a stream of a robot, on a socket of this process. */
export interface ViewerFacts {
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
