import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { registerGauges, type ProcessState } from './gauges.ts';

export interface Metrics {
  observe(operation: string | undefined, status: number, seconds: number): void;
  /** A request of this priority was refused, because there are more than the service can serve. */
  overloaded(priority: string): void;
  /** A request, or so many log records, would have exceeded this quota of the org. */
  quotaRefused(quota: string, count?: number): void;
  /** An upgrade was refused with this status. */
  upgradeRefused(status: number): void;
  /** A frame of an agent; an unknown type is counted as `unknown`. */
  frame(type: string): void;
  /** Faulty reports of robots, by outcome. */
  reportsRepaired(faulty: { repaired: number; ignored: number }): void;
  /** Parts of a health snapshot were not stored. */
  healthPartsOmitted(parts: readonly { reason: string }[]): void;
  /** Log records of a frame were stored, or not, this long after it arrived. */
  logsSettled(outcome: string, records: number, seconds: number): void;
  /** An order list was sent, this long after the service noticed that it may have changed. */
  ordersDelivered(seconds: number): void;
  /** Log records of robots were not stored, because their numbers were not above the last stored one. */
  logRecordsSkipped(records: number): void;
  logRecordsRedacted(records: number): void;
  logRecordsWithheld(records: number): void;
  /** Stored log records are damaged. */
  logRecordsLost(records: number): void;
  /** Presence of links was written, in this time. */
  flushed(seconds: number): void;
  /** This number of agent links was asked to move to another replica. */
  rebalanced(links: number): void;
  /** A deployment began this long after it was due, for this number of robots. */
  deploymentBegun(lateSeconds: number, robots: number): void;
  /** Reports of robots were recorded, in this time. */
  reportsRecorded(reports: number, seconds: number): void;
  /** Deployments whose counts differ from their robots. */
  countsDiffer(deployments: number): void;
  /** A reply violates the contract. */
  contractViolated(operation: string): void;
  text(): Promise<{ type: string; body: string }>;
}

/**
 * Prometheus metrics of this process: what it counts, its state at each scrape, and prom-client's metrics of Node.
 */
export function createMetrics(state: ProcessState): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const readState = registerGauges(registry, state);
  const requests = new Counter({
    name: 'fleet_http_requests_total',
    help: 'Requests to the API, by operation and status',
    labelNames: ['operation', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'fleet_http_request_seconds',
    help: 'Time from request to response, by operation',
    labelNames: ['operation'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  const overloads = new Counter({
    name: 'fleet_http_overload_refusals_total',
    help: 'Requests refused because the service was overloaded, by priority: agents, changes or reads',
    labelNames: ['priority'],
    registers,
  });
  const quotaRefusals = new Counter({
    name: 'fleet_quota_refusals_total',
    help: 'Requests and log records refused because they would exceed a quota of the org, by quota',
    labelNames: ['quota'],
    registers,
  });
  // From the start at 0, since Prometheus sees no increase in a series that begins at 1.
  for (const priority of ['agents', 'changes', 'reads']) overloads.inc({ priority }, 0);
  for (const quota of ['robots', 'artifact_bytes', 'live_streams', 'log_bytes_per_day'])
    quotaRefusals.inc({ quota }, 0);
  const refusals = new Counter({
    name: 'fleet_refused_upgrades_total',
    help: 'Rejected WebSocket requests, by status',
    labelNames: ['status'],
    registers,
  });
  const frames = new Counter({
    name: 'fleet_agent_frames_total',
    help: 'Frames from agents, by type',
    labelNames: ['type'],
    registers,
  });
  const faultyReports = new Counter({
    name: 'fleet_agent_faulty_reports_total',
    help: 'Invalid reports of robots about their orders: accepted without the invalid fields (repaired) or ignored',
    labelNames: ['outcome'],
    registers,
  });
  const omittedParts = new Counter({
    name: 'fleet_agent_health_parts_omitted_total',
    help: 'Parts of health snapshots that were not stored, by reason',
    labelNames: ['reason'],
    registers,
  });
  const storedRecords = new Counter({
    name: 'fleet_log_records_total',
    help: 'Log records that were stored',
    registers,
  });
  const logFrames = new Counter({
    name: 'fleet_log_frames_total',
    help: 'Frames with log records, by outcome: stored, refused (by a quota), failed (the agent sends them again) or stale (of a replaced link)',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['stored', 'refused', 'failed', 'stale']) logFrames.inc({ outcome }, 0);
  const ackTimes = new Histogram({
    name: 'fleet_log_ack_seconds',
    help: 'Time from a frame with log records to its acknowledgement',
    buckets: [0.5, 1, 2, 5, 15],
    registers,
  });
  const deliveryTimes = new Histogram({
    name: 'fleet_order_delivery_seconds',
    help: 'Time from the notification of a change until the order list of a connected robot was sent',
    buckets: [0.1, 0.5, 1, 2, 5, 30],
    registers,
  });
  const skippedRecords = new Counter({
    name: 'fleet_log_records_skipped_total',
    help: 'Log records that were not stored, because a record of the spool with the same or a higher number was: repeated after a reconnect, or numbered incorrectly',
    registers,
  });
  const redactedRecords = new Counter({
    name: 'fleet_log_records_redacted_total',
    help: 'Log records from which log redaction rules removed something before they were stored',
    registers,
  });
  const withheldRecords = new Counter({
    name: 'fleet_log_records_withheld_total',
    help: 'Log records stored without their message and fields, because the log redaction rules of the org took too long or failed',
    registers,
  });
  const lostRecords = new Counter({
    name: 'fleet_log_records_lost_total',
    help: 'Stored log records that were damaged in the database; must be 0',
    registers,
  });
  const flushes = new Histogram({
    name: 'fleet_presence_flush_seconds',
    help: 'Time to store the signs of life of agent links',
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  const moved = new Counter({
    name: 'fleet_agent_links_rebalanced_total',
    help: 'Agent links asked to reconnect because another replica has fewer',
    registers,
  });
  const lateness = new Histogram({
    name: 'fleet_deployment_late_seconds',
    help: 'Time from when a deployment was due until its robots were fixed',
    buckets: [0.05, 0.2, 1, 5, 30],
    registers,
  });
  const targets = new Counter({
    name: 'fleet_deployment_targets_total',
    help: 'Robots of started deployments',
    registers,
  });
  const reports = new Counter({
    name: 'fleet_order_reports_total',
    help: 'Reports of robots about their orders',
    registers,
  });
  const reportTimes = new Histogram({
    name: 'fleet_order_reports_seconds',
    help: 'Time to store one batch of reports',
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  const mismatches = new Counter({
    name: 'fleet_deployment_count_mismatches_total',
    help: 'Deployments whose counts differed from their robots; must be 0',
    registers,
  });
  const violations = new Counter({
    name: 'fleet_contract_violations_total',
    help: 'Sampled responses that do not match the contract, by operation; must be 0',
    labelNames: ['operation'],
    registers,
  });
  // prom-client sorts and joins the labels on each call; these maps cache the few counters.
  const counts = new Map<string, Counter.Internal>();
  const frameCounts = new Map<string, Counter.Internal>();
  const times = new Map<string, Histogram.Internal<'operation'>>();
  return {
    // Paths outside the contract share one label value: callers choose the text, and each text would be a series of its
    // own.
    observe(operation = 'none', status, elapsed) {
      const series = `${operation} ${status}`;
      let count = counts.get(series);
      if (!count) counts.set(series, (count = requests.labels({ operation, status })));
      count.inc();
      let time = times.get(operation);
      if (!time) times.set(operation, (time = seconds.labels({ operation })));
      time.observe(elapsed);
    },
    overloaded: (priority) => overloads.inc({ priority }),
    quotaRefused: (quota, count = 1) => quotaRefusals.inc({ quota }, count),
    upgradeRefused: (status) => refusals.inc({ status }),
    frame(type) {
      let count = frameCounts.get(type);
      if (!count) frameCounts.set(type, (count = frames.labels({ type })));
      count.inc();
    },
    reportsRepaired({ repaired, ignored }) {
      faultyReports.inc({ outcome: 'repaired' }, repaired);
      faultyReports.inc({ outcome: 'ignored' }, ignored);
    },
    healthPartsOmitted(parts) {
      for (const { reason } of parts) omittedParts.inc({ reason });
    },
    logsSettled(outcome, records, elapsed) {
      logFrames.inc({ outcome });
      if (outcome !== 'stored') return;
      storedRecords.inc(records);
      ackTimes.observe(elapsed);
    },
    ordersDelivered: (elapsed) => deliveryTimes.observe(elapsed),
    logRecordsSkipped: (records) => skippedRecords.inc(records),
    logRecordsRedacted: (records) => redactedRecords.inc(records),
    logRecordsWithheld: (records) => withheldRecords.inc(records),
    logRecordsLost: (records) => lostRecords.inc(records),
    flushed: (elapsed) => flushes.observe(elapsed),
    rebalanced: (count) => moved.inc(count),
    deploymentBegun(lateSeconds, robots) {
      lateness.observe(lateSeconds);
      targets.inc(robots);
    },
    reportsRecorded(count, elapsed) {
      reports.inc(count);
      reportTimes.observe(elapsed);
    },
    countsDiffer: (deployments) => mismatches.inc(deployments),
    contractViolated: (operation) => violations.inc({ operation }),
    async text() {
      await readState();
      return { type: registry.contentType, body: await registry.metrics() };
    },
  };
}
