/** A machine of an org. It is always in a fleet and at that fleet's site. */
export interface Robot {
  id: string;
  name: string;
  orgId: string;
  siteId: string;
  fleetId: string;
  labels: Record<string, string>;
  createdAt: Date;
  online: boolean; // its agent holds a link to a service that is alive
  lastSeenAt: Date | undefined; // undefined before its first link
  reported: Reported;
  cameras: string[] | undefined; // as its agent last said, and the next one; undefined before its first link
  topics: boolean | undefined; // whether it reads a ROS graph
  duplicateAgentAt: Date | undefined; // when two agents last fought over its identity, within the last day
}

export interface RobotFilter {
  name?: string | undefined;
  siteId?: string | undefined;
  fleetId?: string | undefined;
}

/** What of a robot may change. Labels are replaced as a whole. */
export interface RobotChange {
  name?: string | undefined;
  fleetId?: string | undefined;
  labels?: Record<string, string> | undefined;
}

/** Which try of which key makes a robot. The nonce is the agent's own, the same on each retry. */
export interface EnrollmentAttempt {
  keyId: string;
  nonce: string | undefined;
}

/** The name of a robot whose agent gave none. */
export const defaultName = (id: string): string => `robot-${id.slice(-6)}`;

/** What a robot has proved to run. It is stored as it goes out, so its fields have their names of the wire. */
export interface Reported {
  releases: Record<string, { release_id: string; tag: string; deployment_id: string; at: string; drift?: Drift }>; // by kind
  configs: Record<string, { config_id: string; revision: number; deployment_id: string; at: string }>; // by <namespace>/<key>
}

/** What runs in the place of a release; without a hash: nothing does. */
interface Drift {
  since: string;
  running_sha256?: string;
  running_release_id?: string;
  running_tag?: string;
}
