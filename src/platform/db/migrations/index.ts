import type { Knex } from 'knex';
import * as m0001 from './0001_init.ts';
import * as m0002 from './0002_links.ts';
import * as m0003 from './0003_logs.ts';
import * as m0004 from './0004_timeline_limits.ts';
import * as m0005 from './0005_deployments.ts';
import * as m0006 from './0006_deployment_indexes.ts';
import * as m0007 from './0007_artifacts.ts';
import * as m0008 from './0008_progress_and_drift.ts';
import * as m0009 from './0009_live_streams.ts';
import * as m0010 from './0010_shell_sessions.ts';
import * as m0011 from './0011_audit_chain.ts';
import * as m0012 from './0012_token_use.ts';
import * as m0013 from './0013_people.ts';
import * as m0014 from './0014_cameras_and_topics.ts';
import * as m0015 from './0015_replica_facts.ts';
import * as m0016 from './0016_unused_token_values.ts';
import * as m0017 from './0017_hot_updates.ts';
import * as m0018 from './0018_unique_names.ts';
import * as m0019 from './0019_conditions.ts';
import * as m0020 from './0020_lifecycle.ts';
import * as m0021 from './0021_robot_metrics.ts';
import * as m0022 from './0022_id_endings.ts';
import * as m0023 from './0023_condition_id_endings.ts';
import * as m0024 from './0024_robot_name_parts.ts';
import * as m0025 from './0025_active_deployments.ts';
import * as m0026 from './0026_health_history.ts';
import * as m0027 from './0027_deployment_pauses.ts';
import * as m0028 from './0028_rollout_policies.ts';
import * as m0029 from './0029_rollouts.ts';
import * as m0030 from './0030_rollbacks.ts';
import * as m0031 from './0031_selectors.ts';
import * as m0032 from './0032_deployment_plans.ts';
import * as m0033 from './0033_rollout_controls.ts';
import * as m0034 from './0034_approvals.ts';
import * as m0035 from './0035_admission.ts';
import * as m0037 from './0037_robot_gates.ts';
import * as m0040 from './0040_paced_rollouts.ts';
import * as m0041 from './0041_retries.ts';
import * as m0042 from './0042_skipped_waves.ts';
import * as m0043 from './0043_robot_pins.ts';
import * as m0044 from './0044_dynamic_selectors.ts';
import * as m0045 from './0045_downgrades.ts';
import * as m0048 from './0048_downgrades_of_deployments.ts';
import * as m0049 from './0049_ignored_windows.ts';
import * as m0050 from './0050_look_up_open_targets.ts';
import * as m0051 from './0051_targets_by_wave.ts';
import * as m0052 from './0052_log_redactions.ts';
import * as m0053 from './0053_log_segments.ts';
import * as m0054 from './0054_log_stats.ts';
import * as m0055 from './0055_log_text_filters.ts';
import * as m0056 from './0056_order_triggers_of_previous_releases.ts';
import * as m0057 from './0057_log_objects.ts';
import * as m0058 from './0058_due_in_order.ts';
import * as m0059 from './0059_pending_log_stats.ts';
import * as m0060 from './0060_lists_of_large_orgs.ts';
import * as m0061 from './0061_hints.ts';
import * as m0063 from './0063_org_quotas.ts';
import * as m0064 from './0064_quota_of_log_bytes.ts';
import * as m0065 from './0065_artifact_caches.ts';
import * as m0066 from './0066_backups.ts';
import * as m0067 from './0067_deployment_traces.ts';
import * as m0068 from './0068_erasures.ts';
import * as m0069 from './0069_deployment_retention.ts';
import * as m0070 from './0070_replica_secrets.ts';
import * as m0071 from './0071_audit_trims.ts';
import * as m0074 from './0074_retention_of_values.ts';
import * as m0075 from './0075_left_log_streams.ts';
import * as m0076 from './0076_suspension_freezes.ts';
import * as m0077 from './0077_artifact_uploads.ts';
import * as m0078 from './0078_days_of_log_quotas.ts';
import * as m0079 from './0079_audit_entries_from_the_future.ts';
import * as m0080 from './0080_due_watch.ts';

/** In order, never renamed: every database stores the names. `npm run db:new <name>` adds one. */
const migrations: [string, Knex.Migration][] = [
  ['0001_init', m0001],
  ['0002_links', m0002],
  ['0003_logs', m0003],
  ['0004_timeline_limits', m0004],
  ['0005_deployments', m0005],
  ['0006_deployment_indexes', m0006],
  ['0007_artifacts', m0007],
  ['0008_progress_and_drift', m0008],
  ['0009_live_streams', m0009],
  ['0010_shell_sessions', m0010],
  ['0011_audit_chain', m0011],
  ['0012_token_use', m0012],
  ['0013_people', m0013],
  ['0014_cameras_and_topics', m0014],
  ['0015_replica_facts', m0015],
  ['0016_unused_token_values', m0016],
  ['0017_hot_updates', m0017],
  ['0018_unique_names', m0018],
  ['0019_conditions', m0019],
  ['0020_lifecycle', m0020],
  ['0021_robot_metrics', m0021],
  ['0022_id_endings', m0022],
  ['0023_condition_id_endings', m0023],
  ['0024_robot_name_parts', m0024],
  ['0025_active_deployments', m0025],
  ['0026_health_history', m0026],
  ['0027_deployment_pauses', m0027],
  ['0028_rollout_policies', m0028],
  ['0029_rollouts', m0029],
  ['0030_rollbacks', m0030],
  ['0031_selectors', m0031],
  ['0032_deployment_plans', m0032],
  ['0033_rollout_controls', m0033],
  ['0034_approvals', m0034],
  ['0035_admission', m0035],
  ['0037_robot_gates', m0037],
  ['0040_paced_rollouts', m0040],
  ['0041_retries', m0041],
  ['0042_skipped_waves', m0042],
  ['0043_robot_pins', m0043],
  ['0044_dynamic_selectors', m0044],
  ['0045_downgrades', m0045],
  ['0048_downgrades_of_deployments', m0048],
  ['0049_ignored_windows', m0049],
  ['0050_look_up_open_targets', m0050],
  ['0051_targets_by_wave', m0051],
  ['0052_log_redactions', m0052],
  ['0053_log_segments', m0053],
  ['0054_log_stats', m0054],
  ['0055_log_text_filters', m0055],
  ['0056_order_triggers_of_previous_releases', m0056],
  ['0057_log_objects', m0057],
  ['0058_due_in_order', m0058],
  ['0059_pending_log_stats', m0059],
  ['0060_lists_of_large_orgs', m0060],
  ['0061_hints', m0061],
  ['0063_org_quotas', m0063],
  ['0064_quota_of_log_bytes', m0064],
  ['0065_artifact_caches', m0065],
  ['0066_backups', m0066],
  ['0067_deployment_traces', m0067],
  ['0068_erasures', m0068],
  ['0069_deployment_retention', m0069],
  ['0070_replica_secrets', m0070],
  ['0071_audit_trims', m0071],
  ['0074_retention_of_values', m0074],
  ['0075_left_log_streams', m0075],
  ['0076_suspension_freezes', m0076],
  ['0077_artifact_uploads', m0077],
  ['0078_days_of_log_quotas', m0078],
  ['0079_audit_entries_from_the_future', m0079],
  ['0080_due_watch', m0080],
];

/** In the order of their application. */
export const knownMigrations: readonly string[] = migrations.map(([name]) => name);

/** A static list instead of a folder: the bundled server has no such folder. */
export const migrationSource: Knex.MigrationSource<[string, Knex.Migration]> = {
  getMigrations: async () => migrations,
  getMigrationName: ([name]) => name,
  getMigration: async ([, migration]) => migration,
};
