import type {
  AuditEntry,
  Config,
  ConfigDeployment,
  ConfigRevision,
  Deployment,
  DeploymentEvent,
  DeploymentFreeze,
  DeploymentTarget,
  EnrollmentKey,
  Fleet,
  HealthHistory,
  HealthSnapshot,
  LogRecord,
  LogStats,
  Release,
  Robot,
  RobotMeasurements,
  RobotTopic,
  RolloutPolicy,
  Site,
  TimelineEntry,
  Token,
  User,
  Whoami,
} from '../../api/api.ts';
import type { Snapshot, Failure } from './freshness.ts';
import type { Readable } from './store.ts';

export type {
  AuditEntry,
  Config,
  ConfigDeployment,
  ConfigRevision,
  Deployment,
  DeploymentEvent,
  DeploymentFreeze,
  DeploymentTarget,
  EnrollmentKey,
  Fleet,
  HealthHistory,
  HealthSnapshot,
  LogRecord,
  LogStats,
  Release,
  Robot,
  RobotMeasurements,
  RobotTopic,
  RolloutPolicy,
  Site,
  TimelineEntry,
  Token,
  User,
  Whoami,
};

/** Data of the service, kept up to date while it is wanted, and some seconds longer. */
export interface Resource<T> extends Readable<Snapshot<T>> {
  /** Returns the function that releases it. */
  want(): () => void;
  /** Requests now if it is wanted; otherwise the next `want` does. */
  refresh(): void;
}

/** A list, and its items by id. Texts are as received: the drawing code sanitizes them. */
export interface Listing<T> {
  items: readonly T[];
  byId: ReadonlyMap<string, T>;
}

/** Deployments of releases, or of configs. */
export type DeploymentKind = 'release' | 'config';

/** The connection to the service, as seen by all calls together. */
export type ConnectionState =
  | { kind: 'connecting' }
  | { kind: 'live'; latencyMs: number }
  /** No response; retried at that time of the stores' clock. `attempt` counts from 1. */
  | { kind: 'reconnecting'; attempt: number; nextAtMs: number; failure: Failure }
  /** The same after `status` 503, an outage, 429, a rate limit, or 401, a suspended org. */
  | { kind: 'resting'; status: number; nextAtMs: number; failure: Failure }
  /** The service responds with failures of its own. */
  | { kind: 'degraded'; failure: Failure }
  /** Not signed in, or the token is no longer valid. */
  | { kind: 'signedOut'; failure: Failure };

export interface HealthPoint {
  atMs: number;
  snapshot: HealthSnapshot;
}

/** Health of a robot, and its history since the first read: at most 300 points. */
export interface HealthTrail {
  online: boolean;
  lastSeenAt: string | undefined;
  points: readonly HealthPoint[];
}

/** One line of a live tail. */
export type TailLine =
  | { kind: 'record'; robotId: string; record: LogRecord }
  /** Lost records, or a stream that disconnected or reconnected. */
  | { kind: 'note'; robotId: string; at: string; text: string; isGap: boolean };

/** Live lines, newest last: at most 5,000. */
export interface TailState {
  lines: readonly TailLine[];
  /** Lines received, including discarded ones. */
  total: number;
  /** Robots whose stream is open now. */
  openCount: number;
  /** Why a stream is not open, by robot. */
  failures: ReadonlyMap<string, Failure>;
}

export interface Tail extends Readable<TailState> {
  want(): () => void;
  clear(): void;
}

/** Whose log records are counted; of the org if nothing is set. */
export interface LogScope {
  robot_id?: string;
  fleet_id?: string;
  site_id?: string;
}

/** Live records of one topic, as sent by the robot, cut for display. */
export interface EchoState {
  /** JSON, one record each, the newest last: at most 500. */
  lines: readonly string[];
  perSecond: number;
  failure: Failure | undefined;
}

export interface Echo extends Readable<EchoState> {
  want(): () => void;
}

export interface TopicList {
  topics: readonly RobotTopic[];
  nodes: readonly string[];
}

/** Everything the interface reads. The same arguments give the same resource. */
export interface Data {
  connection: Readable<ConnectionState>;
  /**
   * How far this machine's clock is ahead of the service's, in ms; negative: behind; 0: within some seconds, or
   * unknown.
   */
  clockAheadMs: Readable<number>;
  /** A key was pressed: if the service does not respond, the next retry comes soon. */
  attend(): void;
  /** Retries now if there was no response, or a 503. */
  tryNow(): void;
  /** Address of the service and where it is configured, for messages. */
  place: { baseUrl: string; baseUrlFrom: string; profile: string };
  whoami: Resource<Whoami>;
  robots: Resource<Listing<Robot>>;
  sites: Resource<Listing<Site>>;
  fleets: Resource<Listing<Fleet>>;
  releases: Resource<Listing<Release>>;
  configs: Resource<Listing<Config>>;
  /** All values of an entry, oldest first. */
  configRevisions(configId: string): Resource<readonly ConfigRevision[]>;
  deployments: Resource<Listing<Deployment>>;
  configDeployments: Resource<Listing<ConfigDeployment>>;
  /** Whether all deployments of the org are held. */
  freeze: Resource<DeploymentFreeze>;
  rolloutPolicies: Resource<Listing<RolloutPolicy>>;
  keys: Resource<Listing<EnrollmentKey>>;
  users: Resource<Listing<User>>;
  tokens: Resource<Listing<Token>>;
  /** Latest audit entries, oldest first. */
  activity: Resource<readonly AuditEntry[]>;
  /** One robot, also a retired one, which `robots` lacks. */
  robot(robotId: string): Resource<Robot>;
  /** Numbers of robots by health, over the last 24 hours. */
  healthHistory: Resource<HealthHistory>;
  /** Newest measurements of all robots. */
  measurements: Resource<Listing<RobotMeasurements>>;
  health(robotId: string): Resource<HealthTrail>;
  timeline(robotId: string): Resource<readonly TimelineEntry[]>;
  topics(robotId: string): Resource<TopicList>;
  targets(deploymentKind: DeploymentKind, deploymentId: string): Resource<readonly DeploymentTarget[]>;
  events(deploymentKind: DeploymentKind, deploymentId: string): Resource<readonly DeploymentEvent[]>;
  /** Live logs of these robots in one list, starting with a few stored records. */
  logs(robotIds: readonly string[]): Tail;
  /** Numbers of log records over the last 24 hours. */
  logStats(scope: LogScope): Resource<LogStats>;
  echo(robotId: string, topic: string): Echo;
  /** The time of the stores' clock, in ms. */
  now(): number;
  /** Stops all polling and all streams. */
  end(): void;
}
