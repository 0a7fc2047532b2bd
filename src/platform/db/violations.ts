import { conflict, notFound, unauthorized, type DomainError } from '../../kernel/errors.ts';

/** Foreign keys by referenced object, each with the error for a change that refers to a concurrently deleted row. */
const references: [missing: () => DomainError, constraints: string[]][] = [
  [() => unauthorized('token unknown, expired or revoked'), ['stream_tickets_org_id_token_id_fkey']],
  [
    () => unauthorized('the person who signed in was removed; sign in again'),
    [
      'orgs_requested_by_fkey',
      'portal_sessions_person_id_fkey',
      'sign_in_codes_person_id_fkey',
      'users_person_id_fkey',
    ],
  ],
  [
    () => notFound('org'),
    [
      'artifacts_org_id_fkey',
      'condition_rules_org_id_fkey',
      'configs_org_id_fkey',
      'deployment_freezes_org_id_fkey',
      'deployment_plans_org_id_fkey',
      'deployments_org_id_fkey',
      'disruption_budgets_org_id_fkey',
      'log_redactions_org_id_fkey',
      'maintenance_windows_org_id_fkey',
      'org_quotas_org_id_fkey',
      'releases_org_id_fkey',
      'rollout_policies_org_id_fkey',
      'selectors_org_id_fkey',
      'sites_org_id_fkey',
      'tokens_org_id_fkey',
      'users_org_id_fkey',
    ],
  ],
  [() => notFound('user'), ['tokens_org_id_user_id_fkey']],
  [
    () => notFound('site'),
    ['condition_rules_org_id_site_id_fkey', 'fleets_org_id_site_id_fkey', 'maintenance_windows_org_id_site_id_fkey'],
  ],
  [
    () => notFound('fleet'),
    [
      'condition_rules_org_id_fleet_id_fkey',
      'enrollment_keys_org_id_fleet_id_site_id_fkey',
      'maintenance_windows_org_id_fleet_id_fkey',
      'robots_org_id_fleet_id_site_id_fkey',
    ],
  ],
  [
    () => notFound('robot'),
    [
      'log_counters_org_id_robot_id_fkey',
      'log_heads_org_id_robot_id_fkey',
      'maintenance_windows_org_id_robot_id_fkey',
      'robot_health_org_id_robot_id_fkey',
      'robot_links_org_id_robot_id_fkey',
      'robot_pins_org_id_robot_id_fkey',
      'robot_reports_org_id_robot_id_fkey',
      'robot_status_org_id_robot_id_fkey',
      'stream_tickets_org_id_robot_id_fkey',
      'tokens_org_id_robot_id_fkey',
    ],
  ],
  [() => notFound('release'), ['deployments_org_id_release_id_fkey']],
  [() => notFound('config'), ['config_revisions_org_id_config_id_fkey', 'deployments_org_id_config_id_revision_fkey']],
];
const missing = new Map(references.flatMap(([error, names]) => names.map((name) => [name, error])));

/**
 * Unique indexes over values from callers, each with its error message. Two concurrent requests both pass any earlier
 * check and meet here.
 */
const taken = new Map([
  ['condition_rules_by_name', 'the org already has a condition rule with this name'],
  ['configs_org_id_namespace_key_key', 'the org already has a config entry with this namespace and key'],
  ['disruption_budgets_by_name', 'the org already has a disruption budget with this name'],
  ['log_redactions_by_name', 'the org already has a log redaction rule with this name'],
  ['people_issuer_subject_key', 'another request is signing this person in; sign in again'],
  ['fleets_name_taken', 'the name of the fleet is taken; choose another name'],
  ['releases_org_id_kind_tag_key', 'the org already has a release with this tag and kind'],
  ['robots_org_id_enrollment_key_id_enrollment_nonce_key', 'a robot was already enrolled with this key and nonce'],
  ['robots_name_taken', 'the name of the robot is taken; choose another name'],
  ['rollout_policies_by_name', 'the org already has a rollout policy with this name'],
  ['sites_name_taken', 'the name of the site is taken; choose another name'],
  ['users_of_person', 'this person is already a user of the org'],
  ['users_org_id_email_key', 'the org already has a user with this address'],
]);

/**
 * Start of the Postgres message if the deleted row is still referenced. With messages in another language, 404 replaces
 * 409.
 */
const stillReferenced = /update or delete on table/;

/**
 * The error for the caller of a violated constraint: the row that it names was deleted concurrently, is still
 * referenced, or exists already. Undefined for any other error. A check constraint, or uniqueness of a value that the
 * service chose, is not the caller's fault: 500.
 */
export function violationOf(error: unknown): DomainError | undefined {
  const { code, constraint = '', message = '' } = (error ?? {}) as Record<string, string | undefined>;
  if (code === '23503') {
    if (stillReferenced.test(message)) return conflict('other objects still refer to this one');
    return missing.get(constraint)?.();
  }
  const why = code === '23505' ? taken.get(constraint) : undefined;
  return why === undefined ? undefined : conflict(why);
}
