/** A robot by its org. */
export interface RobotKey {
  orgId: string;
  robotId: string;
}

/** One of its links; the newest has the highest epoch. */
export interface LinkKey extends RobotKey {
  epoch: number;
}

/** One order as it goes to a robot. */
export interface OpenOrder {
  orderId: string;
  lane: string; // config, or release:<kind>
  sequence: number;
  deployments: string[];
  digest: string; // SHA-256 of the payload, in hex
  payload: string | undefined; // undefined where it is larger than 16 KiB: the robot fetches it
  cancel: boolean;
  signature: string | undefined;
  keyId: string | undefined;
}

/** What a robot says of an order. */
export interface OrderReport {
  orderId: string;
  status: string;
  digest?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
  progress?: Progress | undefined;
}

/** How far a robot is with what its status says. */
export interface Progress {
  percent: number; // 0 to 100
  text?: string | undefined; // for people
}

/** What runs of one kind of release, as a robot found it. */
export interface Running {
  kind: string;
  sha256: string | undefined; // of the artifact, in hex; undefined where nothing runs
}

/** What became of a report that was read. `ended`: the order is over, or unknown. `result`: undefined where no target is on the order. */
export interface Recorded {
  kind: 'recorded';
  ended: boolean;
  result?: ReportResult | undefined;
}

/** The status of an order after a report, and why it has it or why the report was refused. */
export interface ReportResult {
  status: string;
  reason: string | undefined;
}

/** Called once for each report, after the commit. `stale`: a newer link took over, nothing was changed; `failed`: the database is away. */
export type ReportDone = (outcome: Recorded | { kind: 'stale' } | { kind: 'failed' }) => void;

/** What the links of agents need of the engine. Everything it promises is committed when its promise resolves. */
export interface OrderPort {
  /** Hands waiting targets of robots that are linked to this replica out, where their lane is free. Robots without any cost nothing more. */
  dispatch(robots: readonly RobotKey[]): Promise<void>;
  /** Every open order of each robot, at most `limits.maxOrders`; robots without any are absent. */
  openOrders(robots: readonly RobotKey[]): Promise<Map<string, OpenOrder[]>>; // by robotId
  /** Records a report of the link with this epoch. Reports are gathered for at most 100 ms, those with progress for 250. */
  report(link: LinkKey, report: OrderReport, done: ReportDone): void;
  /** Compares what runs with what the robot proved: after every report that is acknowledged, before those that come later. */
  running(link: LinkKey, running: readonly Running[], done: ReportDone): void;
  /** Robots linked to this replica that have something of this deployment to do: a waiting target, or an open order. */
  concerned(replicaId: string, deployment: { orgId: string; deploymentId: string }): Promise<RobotKey[]>;
  /** Robots linked to this replica that have something to do of any deployment: a waiting target, or an open order. */
  pending(replicaId: string): Promise<RobotKey[]>;
  /** Robots linked to this replica with an open order of which nothing was heard, and that was not sent, for 60 s; or with a waiting target and a free lane. */
  overdue(replicaId: string): Promise<RobotKey[]>;
}
