import type {
  AuditEntry,
  Config,
  ConfigDeployment,
  Deployment,
  DeploymentEvent,
  DeploymentTarget,
  EnrollmentKey,
  Fleet,
  HealthSnapshot,
  LogRecord,
  Release,
  Robot,
  RobotTopic,
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
  Deployment,
  DeploymentEvent,
  DeploymentTarget,
  EnrollmentKey,
  Fleet,
  HealthSnapshot,
  LogRecord,
  Release,
  Robot,
  RobotTopic,
  Site,
  TimelineEntry,
  Token,
  User,
  Whoami,
};

/** Something of the service that is kept up to date while anybody wants it, and some seconds longer. */
export interface Resource<T> extends Readable<Snapshot<T>> {
  /** Returns what releases it. */
  want(): () => void;
  /** Asks now, if it is wanted: else that is asked when it is. */
  refresh(): void;
}

/** A list, and what it holds by id. Texts are those of the service: who draws them makes them harmless. */
export interface Listing<T> {
  items: readonly T[];
  byId: ReadonlyMap<string, T>;
}

/** Deployments of releases, or of configs. */
export type DeploymentKind = 'release' | 'config';

/** The connection to the service, as all calls together find it. */
export type ConnectionState =
  | { kind: 'connecting' }
  | { kind: 'live'; latencyMs: number }
  /** Nothing answers; tried again at that time of the stores' clock. `attempt` counts from 1. */
  | { kind: 'reconnecting'; attempt: number; nextAtMs: number; failure: Failure }
  /** 429 or 503: calls rest until then. */
  | { kind: 'resting'; untilMs: number; failure: Failure }
  /** The service answers, with failures of its own. */
  | { kind: 'degraded'; failure: Failure }
  /** Nobody is signed in, or the token is not good any more. */
  | { kind: 'signedOut'; failure: Failure };

export interface HealthPoint {
  atMs: number;
  snapshot: HealthSnapshot;
}

/** What is known of a robot's health, and of the time it was looked at: at most 300 points. */
export interface HealthTrail {
  online: boolean;
  lastSeenAt: string | undefined;
  points: readonly HealthPoint[];
}

/** One line of a live tail. */
export type TailLine =
  | { kind: 'record'; robotId: string; record: LogRecord }
  /** Records that were lost, or a stream that is away or there again. */
  | { kind: 'note'; robotId: string; at: string; text: string; isGap: boolean };

/** Live lines, the newest last: at most 5,000. */
export interface TailState {
  lines: readonly TailLine[];
  /** How many came in all, those that fell out included. */
  total: number;
  /** Robots whose stream is open now. */
  openCount: number;
  /** Why one that is not open is not, by robot. */
  failures: ReadonlyMap<string, Failure>;
}

export interface Tail extends Readable<TailState> {
  want(): () => void;
  clear(): void;
}

/** The live records of one topic, as the robot sends them, cut to what is shown. */
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

/** All that the interface reads. Functions give the same resource for the same words. */
export interface Data {
  connection: Readable<ConnectionState>;
  /** How far the clock of this machine is ahead of that of the service, in ms; below 0: behind; 0 where it is right within some seconds, or nobody knows. */
  clockAheadMs: Readable<number>;
  /** A key was pressed: while the service does not answer, the next retry comes soon. */
  attend(): void;
  /** Where nothing answers, tries now. */
  tryNow(): void;
  /** Where calls go and who made that so, for messages. */
  place: { baseUrl: string; baseUrlFrom: string; profile: string };
  whoami: Resource<Whoami>;
  robots: Resource<Listing<Robot>>;
  sites: Resource<Listing<Site>>;
  fleets: Resource<Listing<Fleet>>;
  releases: Resource<Listing<Release>>;
  configs: Resource<Listing<Config>>;
  deployments: Resource<Listing<Deployment>>;
  configDeployments: Resource<Listing<ConfigDeployment>>;
  keys: Resource<Listing<EnrollmentKey>>;
  users: Resource<Listing<User>>;
  tokens: Resource<Listing<Token>>;
  /** The latest of the audit log, oldest first. */
  activity: Resource<readonly AuditEntry[]>;
  health(robotId: string): Resource<HealthTrail>;
  timeline(robotId: string): Resource<readonly TimelineEntry[]>;
  topics(robotId: string): Resource<TopicList>;
  targets(deploymentKind: DeploymentKind, deploymentId: string): Resource<readonly DeploymentTarget[]>;
  events(deploymentKind: DeploymentKind, deploymentId: string): Resource<readonly DeploymentEvent[]>;
  /** Live logs of these robots together, from a few stored ones on. */
  logs(robotIds: readonly string[]): Tail;
  echo(robotId: string, topic: string): Echo;
  /** The time of the stores' clock, in ms. */
  now(): number;
  /** Ends all that asks and listens. */
  end(): void;
}
