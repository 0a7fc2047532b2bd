/** Erasing all data of a robot or an org, which may take minutes: until late log records are merged, and objects removed. */
export interface Erasure {
  id: string;
  orgId: string;
  robotId: string | undefined; // undefined: the whole org
  createdAt: Date;
  settlesAt: Date; // from then on no replica writes anything that it received before
  waitsFor: readonly string[]; // why it is not finished
  removed: Readonly<Record<string, number>>; // rows and objects, by table
  finishedAt: Date | undefined;
}

/** What a replica received of a robot, it has written or discarded after this time. */
export const settlesAfter = '5 minutes';

/** Rows of one table. */
export interface Rows {
  table: string;
  where: string; // SQL with :orgId and :robotId
}

/** A table without an index by robot, and its primary key within an org. */
export interface Walk {
  table: string;
  key: readonly { name: string; type: string }[];
}

export const walksOfRobot: readonly Walk[] = [
  { table: 'orders', key: [{ name: 'id', type: 'uuid' }] },
  {
    table: 'deployment_events',
    key: [
      { name: 'deployment_id', type: 'uuid' },
      { name: 'seq', type: 'bigint' },
    ],
  },
];

const ofRobot = 'org_id = :orgId and robot_id = :robotId';
const hasEnded = `status in ('applied', 'failed', 'rolled_back', 'cancelled')`;
const ofRobotsSessions = `org_id = :orgId and session_id in (select id from shell_sessions where ${ofRobot} and ended_at is not null)`;

export const openTargets = `${ofRobot} and not ${hasEnded}`;
export const openSessions = `${ofRobot} and ended_at is null`;

const simple = (table: string): Rows => ({ table, where: ofRobot });

/**
 * What is left of a robot beside its logs, once the foreign keys of `robots` have removed the rest. In this order: later tables
 * find the rows of earlier ones, and their rows may come from them.
 */
export const rowsOfRobot: readonly Rows[] = [
  { table: 'shell_recordings', where: ofRobotsSessions },
  { table: 'shell_sessions', where: `${ofRobot} and ended_at is not null` },
  ...['rollback_robots', 'retry_robots', 'rollout_failures', 'plan_robots', 'freed_robots'].map(simple),
  ...['timeline_unnumbered', 'timeline', 'condition_reviews'].map(simple),
  ...['robot_metric_blocks', 'robot_metric_rollups', 'log_stats'].map(simple),
  {
    table: 'targets',
    // An active deployment is compared with the number of its targets.
    where: `${ofRobot} and ${hasEnded} and not exists (
      select from deployments d where d.org_id = targets.org_id and d.id = targets.deployment_id and d.ended_at is null)`,
  },
];

/**
 * The tables of an org, in the order of their foreign keys, and tables before those that their rows move to. Those with foreign keys to robots, tokens and people are emptied by
 * them too.
 */
export const tablesOfOrg: readonly string[] = [
  ...['portal_sessions', 'stream_tickets', 'tokens'],
  ...['shell_recordings', 'shell_sessions'],
  ...['log_segments', 'log_chunks', 'log_heads', 'log_counters', 'log_streams', 'log_robot_changes', 'log_orgs'],
  ...['log_stats_pending', 'log_stats', 'log_stats_by_fleet', 'log_stats_progress', 'org_logs_today', 'log_redactions'],
  ...['robot_metric_blocks', 'robot_metric_rollups', 'health_history', 'timeline_unnumbered', 'timeline'],
  ...['open_targets', 'targets', 'waves', 'orders', 'deployment_events', 'deployment_counts', 'deployment_approvals'],
  ...['rollback_robots', 'rollback_signatures', 'retry_robots', 'rollout_failures', 'plan_robots', 'deployment_plans'],
  ...['deployments', 'deployment_freezes', 'disruption_budgets', 'rollout_policies', 'selectors', 'payloads'],
  ...['releases', 'config_revisions', 'configs'],
  ...['condition_reviews', 'condition_rules', 'maintenance_windows'],
  ...['robot_health', 'robot_links', 'robot_reports', 'robot_status', 'robot_pins', 'robots', 'freed_robots'],
  ...['enrollment_keys', 'fleets', 'sites', 'idempotency_keys', 'org_streams', 'audit', 'audit_trims'],
];

/** What names an erased robot by its ID, and stays; docs/reference/retention.md says why. */
export const keptOfRobot: readonly string[] = [
  'audit',
  'deployments',
  'deployment_plans',
  'erasures',
  'idempotency_keys',
  'hints',
  'log_robot_changes',
  'robot_metric_progress',
];
