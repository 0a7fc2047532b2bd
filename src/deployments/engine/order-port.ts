import type { OrderWindow } from '../../rollout-policies/service.ts';

/** A robot by its org. */
export interface RobotKey {
  orgId: string;
  robotId: string;
}

/** A link of a robot; the newest has the highest epoch. */
export interface LinkKey extends RobotKey {
  epoch: number;
}

/** An order as it is sent to a robot. */
export interface OpenOrder {
  orderId: string;
  lane: string; // config, or release:<kind>
  sequence: number;
  deployments: string[];
  digest: string; // SHA-256 of the payload, in hex
  payload: string | undefined; // undefined if it is larger than 16 KiB: the robot fetches it
  cancel: boolean;
  signature: string | undefined;
  keyId: string | undefined;
  terms: OrderTerms;
}

/** What an order carries besides its payload, by wire names. */
export interface OrderTerms {
  ignore_gates?: true;
  window?: OrderWindow;
  artifact_base_url?: string; // of the robot's site when the order is sent
  traceparent?: string; // of a deployment that it carries out
}

/** A robot's report on an order. */
export interface OrderReport {
  orderId: string;
  status: string;
  digest?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
  progress?: Progress | undefined;
}

/** How far a robot is within its status. */
export interface Progress {
  percent: number; // 0 to 100
  text?: string | undefined; // for people
  waitingOn?: { holder: string; reason: string } | undefined; // what keeps it from disturbing the robot
}

/** What runs of one kind of release, as the robot found it. */
export interface Running {
  kind: string;
  sha256: string | undefined; // of the artifact, in hex; undefined if nothing runs
}

/**
 * Outcome of a report that was read. `ended`: the order has ended or is unknown. `result`: undefined if no target is on
 * the order.
 */
export interface Recorded {
  kind: 'recorded';
  ended: boolean;
  result?: ReportResult | undefined;
  /** Absent if the report changed no target of a deployment with a trace. */
  trace?: TraceOfReport | undefined;
}

/** That of the first of these deployments, as for the order. */
export interface TraceOfReport {
  deploymentId: string;
  context: string;
}

/** The status of an order after a report, and the reason for it or for refusing the report. */
export interface ReportResult {
  status: string;
  reason: string | undefined;
}

/**
 * Called once per report, after the commit. `stale`: a newer link took over, nothing changed. `failed`: the database is
 * unavailable.
 */
export type ReportDone = (outcome: Recorded | { kind: 'stale' } | { kind: 'failed' }) => void;

/** What agent links need of the engine. When a promise resolves, its result is committed. */
export interface OrderPort {
  /**
   * Dispatches waiting targets of robots linked to this replica, if their lane is free. Robots without any cost nothing
   * more.
   */
  dispatch(robots: readonly RobotKey[]): Promise<void>;
  /** Every open order of each robot, at most `limits.maxOrders`; robots without any are absent. */
  openOrders(robots: readonly RobotKey[]): Promise<Map<string, OpenOrder[]>>; // by robotId
  /** Records a report of the link with this epoch. Reports are gathered for at most 100 ms, with progress 250 ms. */
  report(link: LinkKey, report: OrderReport, done: ReportDone): void;
  /** Compares what runs with what the robot proved: after all acknowledged reports, before all later ones. */
  running(link: LinkKey, running: readonly Running[], done: ReportDone): void;
  /** Robots linked to this replica that this deployment concerns: with a waiting target, or an open order. */
  concerned(replicaId: string, deployment: { orgId: string; deploymentId: string }): Promise<RobotKey[]>;
  /** Robots linked to this replica with a waiting target or an open order of any deployment. */
  pending(replicaId: string): Promise<RobotKey[]>;
  /**
   * Robots linked to this replica with an open order that was neither sent nor reported on for 60 s, or with a waiting
   * target and a free lane.
   */
  overdue(replicaId: string): Promise<RobotKey[]>;
}
