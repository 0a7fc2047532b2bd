import type { Selector } from '../kernel/label-selector.ts';

/** A machine of an org. It always belongs to a fleet and to that fleet's site. */
export interface Robot {
  id: string;
  name: string;
  orgId: string;
  siteId: string;
  fleetId: string;
  labels: Record<string, string>;
  createdAt: Date;
  online: boolean; // its agent is linked to a live replica
  lastSeenAt: Date | undefined; // undefined before its first link
  reported: Reported;
  cameras: string[] | undefined; // last reported by its agent, as are `topics` and `timezone`; undefined before its first link
  topics: boolean | undefined; // whether its agent reads a ROS graph
  timezone: string | undefined; // IANA; also undefined if its agent reports none
  health: RobotHealth;
  pin: RobotPin | undefined; // undefined unless it is pinned now
  replaces: string | undefined; // robot that this machine was before it enrolled again
  replacedBy: string | undefined; // robot as which the machine of this retired one enrolled again
  retiredAt: Date | undefined; // undefined: not retired
  duplicateAgentAt: Date | undefined; // last time two agents competed for its identity, within the last day
}

export interface RobotFilter {
  name?: string | undefined;
  siteId?: string | undefined;
  fleetId?: string | undefined;
  selector?: Selector | undefined;
  healthStatus?: HealthStatus | undefined;
  condition?: string | undefined; // name or ID of a rule
  releaseId?: string | undefined; // that it runs
  isPinned?: boolean | undefined;
  nameContains?: string | undefined;
  /** Only retired robots; default: only others. */
  isRetired?: boolean | undefined;
}

/** By the worst condition of the robot; without one, whether its state is known. */
export type HealthStatus = 'healthy' | 'degraded' | 'unhealthy' | 'unknown';

/** The fields of a robot that can be changed. Labels are replaced as a whole. */
export interface RobotChange {
  name?: string | undefined;
  fleetId?: string | undefined;
  labels?: Record<string, string> | undefined;
}

/** The enrollment attempt that creates a robot. The agent chooses the nonce, and keeps it for each retry. */
export interface EnrollmentAttempt {
  keyId: string;
  nonce: string | undefined;
}

/** A robot to create. Without a name it gets one from its ID. */
export interface NewRobot {
  id: string;
  siteId: string;
  fleetId: string;
  name?: string | undefined;
  replaces?: string | undefined;
}

/** The name of a robot if its agent gives none. */
export const defaultName = (id: string): string => `robot-${id.slice(-6)}`;

/** What a robot has proved to run. Stored in wire format, so the fields have their wire names. */
export interface Reported {
  releases: Record<string, { release_id: string; tag: string; deployment_id: string; at: string; drift?: Drift }>; // by kind
  configs: Record<string, { config_id: string; revision: number; deployment_id: string; at: string }>; // by <namespace>/<key>
}

/** What runs instead of a release; without a hash: nothing runs. */
interface Drift {
  since: string;
  running_sha256?: string;
  running_release_id?: string;
  running_tag?: string;
}

/** The health of a robot by its conditions. Conditions and maintenance are stored in wire format. */
export interface RobotHealth {
  status: string; // HealthStatus
  since: Date | undefined; // of degraded and unhealthy
  conditions: { rule_id: string; name: string; severity: string; since: string; message: string }[];
  maintenance: { id: string; until: string; reason: string } | undefined;
}

/** A robot gets no release but this one until then. Read in wire format, so the fields have their wire names. */
export interface RobotPin {
  release_id: string;
  tag: string;
  until: string;
  reason: string;
  pinned_by: string; // for people
  pinned_at: string;
}
