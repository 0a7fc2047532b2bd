import { sqlId, type Rows } from './rows.ts';

/** How many of each there are, by the number of robots. */
export const sizes = (robots: number) => ({
  robots,
  sites: 50,
  fleets: Math.max(20, robots / 5_000),
  keys: Math.max(50, robots / 500),
  users: 2_000,
  releases: 2_000,
});

/** Every 20th robot is of another org. */
export const orgOfRobot = (orgId: string): string =>
  `case when n % 20 = 0 then ${sqlId('org', 1)} else '${orgId}'::uuid end`;

/** A tenth of the robots are in the first fleet, the others in fleets of equal size. */
const fleetOf = (fleets: number) => `case when n % 10 = 1 then 1 else 1 + n % ${fleets} end`;

/** What each robot runs: one of three releases, the third of which is rare. */
const releaseOf = 'case when n % 1000 = 3 then 3 when n % 10 = 4 then 2 else 1 end';

/** The age of a robot in ms of now: the first is the oldest. */
const createdAt = `now() - interval '1 day' + n * interval '1 ms'`;

/** Unhealthy by the rule `offline`: 14 of 1,000 robots. The last one is unknown, as it was never online. */
const isLongOffline = 'n % 1000 between 985 and 998';
const isUnknown = 'n % 1000 = 999';
const isRetired = 'n % 1000 = 6';

/**
 * Tables with a row for each robot. Of 1,000 robots, 984 are online and known, 10 of these unhealthy and 20 degraded; 10
 * have a pin, and one has a rare label or a rare release or is retired.
 */
export function robotTables(orgId: string, robots: number): Rows[] {
  const size = sizes(robots);
  const fleet = fleetOf(size.fleets);
  const robot = { org_id: orgOfRobot(orgId), robot_id: sqlId('robot', 'n') };
  const perRobot = (table: string, columns: Record<string, string>, where?: string): Rows => ({
    table,
    count: robots,
    columns: { ...robot, ...columns },
    ...(where === undefined ? {} : { where }),
  });
  const rule = (column: string) => `select r.${column} from condition_rules r
    where r.org_id = '${orgId}' and r.name = case when ${isLongOffline} then 'offline' when n % 100 = 1 then 'emergency-stop' else 'battery-low' end`;
  const isOffline = `${isLongOffline} or ${isRetired}`;
  const isIll = `(n % 100 in (1, 2, 3) or ${isLongOffline})`;
  return [
    {
      table: 'robots',
      count: robots,
      columns: {
        org_id: robot.org_id,
        id: robot.robot_id,
        name: `'amr-' || n`,
        site_id: sqlId('site', `1 + (${fleet}) % ${size.sites}`),
        fleet_id: sqlId('fleet', fleet),
        labels: `jsonb_build_object('floor', (n % 4)::text, 'serial', n::text)
          || case when n % 1000 = 5 then '{"tier": "canary"}'::jsonb else '{}' end`,
        enrollment_key_id: sqlId('key', `1 + n % ${size.keys}`),
        enrollment_nonce: `'nonce-' || n`,
        created_at: createdAt,
        replaced_by: `case when ${isRetired} then ${sqlId('robot', 'n + 1')} end`,
        retired_at: `case when ${isRetired} then now() end`,
      },
    },
    perRobot('robot_status', {
      is_known: `not (${isUnknown})`,
      severity: `case when n % 100 = 1 or ${isLongOffline} then 2 when n % 100 in (2, 3) then 1 else 0 end`,
      firing: `case when ${isIll} then array[(${rule('id')})] else '{}' end`,
      conditions: `case when ${isIll} then jsonb_build_array(jsonb_build_object('rule_id', (${rule('id')}),
        'name', (${rule('name')}), 'severity', (${rule('severity')}), 'since', now(), 'message', 'a test')) else '[]' end`,
    }),
    perRobot(
      'robot_links',
      {
        epoch: '1',
        connected_at: 'now()',
        last_seen_at: 'now()',
        replica_id: `case when not (${isOffline}) then ${sqlId('replica', 1)} end`,
        disconnected_at: `case when ${isOffline} then now() - interval '1 hour' end`,
        agent_version: `'1'`,
        boot_id: `'boot'`,
        instance: `'instance'`,
        takes_orders: 'true',
      },
      `not (${isUnknown})`,
    ),
    perRobot(
      'robot_health',
      { received_at: 'now()', snapshot: `'{"battery_percent":50}'`, battery: '50' },
      `not (${isUnknown})`,
    ),
    perRobot('robot_reports', {
      releases: `jsonb_build_object('file', jsonb_build_object('release_id', ${sqlId('release', releaseOf)}, 'tag', 'nav-' || ${releaseOf},
        'deployment_id', ${sqlId('deployment', 1)}, 'at', '2026-01-01T00:00:00.000Z'))`,
    }),
    perRobot(
      'robot_pins',
      {
        release_id: sqlId('release', 1),
        until: `now() + interval '30 days'`,
        reason: `'a test'`,
        pinned_by: `'admin'`,
      },
      'n % 100 = 8',
    ),
    {
      table: 'tokens',
      count: robots,
      columns: {
        ...robot,
        id: sqlId('token', 'n'),
        kind: `'robot'`,
        last_four: `'abcd'`,
        digest: `decode(lpad(to_hex(n), 64, '0'), 'hex')`,
        created_at: createdAt,
      },
    },
    perRobot('log_streams', { number: 'n', fleet_id: sqlId('fleet', fleet) }),
    perRobot('log_counters', { seq: '100', received_at: 'now()' }),
  ];
}
