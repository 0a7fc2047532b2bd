import { orgOfRobot, sizes } from './robot-tables.ts';
import { sqlId, type Rows } from './rows.ts';

/** A deployment to all robots, and one that is open for the first fleet; the others are of one robot each. */
export const wholeFleet = 1;
export const openDeployment = 2;

/** What robots leave behind: a row for one robot of ten or a hundred, and the targets and orders of all. */
export function historyTables(orgId: string, robots: number): Rows[] {
  const size = sizes(robots);
  const [tenth, hundredth] = [robots / 10, robots / 100];
  const ofOrg = { org_id: `'${orgId}'::uuid` };
  const createdAt = `now() - interval '1 day' + n * interval '1 ms'`;
  const named = (kind: 'site' | 'fleet' | 'release' | 'config' | 'user') => ({ ...ofOrg, id: sqlId(kind, 'n') });
  const robotOf = (n: string) => ({ ...ofOrg, robot_id: sqlId('robot', n) });
  const deploymentOf = (n: number | string) => ({ ...ofOrg, deployment_id: sqlId('deployment', n) });
  const lane = { lane: `'release:file'`, payload_key: `'file'` };
  const isOfConfig = `n % 2 = 0 and n <> ${openDeployment}`;
  const payload = { payload_digest: `repeat('a', 64)`, proof: `repeat('b', 64)` };
  return [
    { table: 'sites', count: size.sites, columns: { ...named('site'), name: `'site ' || n`, created_at: createdAt } },
    {
      table: 'fleets',
      count: size.fleets,
      columns: {
        ...named('fleet'),
        name: `'fleet ' || n`,
        created_at: createdAt,
        site_id: sqlId('site', `1 + n % ${size.sites}`),
      },
    },
    {
      table: 'enrollment_keys',
      count: size.keys,
      columns: {
        ...ofOrg,
        id: sqlId('key', 'n'),
        last_four: `'abcd'`,
        created_at: createdAt,
        site_id: sqlId('site', `1 + n % ${size.sites}`),
        fleet_id: sqlId('fleet', `1 + n % ${size.fleets}`),
        digest: `decode(lpad(to_hex(n), 64, '0'), 'hex')`,
      },
    },
    {
      table: 'users',
      count: size.users,
      columns: { ...named('user'), email: `'user-' || n || '@example.com'`, role: `'viewer'`, created_at: createdAt },
    },
    {
      table: 'releases',
      count: size.releases,
      columns: {
        ...named('release'),
        kind: `'file'`,
        tag: `'nav-' || n`,
        created_at: createdAt,
        artifact_sha256: `repeat('a', 64)`,
        artifact_size: '1',
        archived_at: 'case when n % 10 = 0 then now() end',
      },
    },
    {
      table: 'configs',
      count: size.releases,
      columns: {
        ...named('config'),
        namespace: `'ns-' || n % 20`,
        key: `'key-' || n`,
        revision: '1',
        value: `'1'`,
        created_at: createdAt,
        deleted_at: 'case when n % 10 = 0 then now() end',
      },
    },
    {
      table: 'config_revisions',
      count: tenth,
      columns: {
        ...ofOrg,
        config_id: sqlId('config', `1 + n % ${size.releases}`),
        id: sqlId('entry', 'n'),
        revision: `n`,
        value: `'1'`,
        created_at: createdAt,
      },
    },
    {
      table: 'deployments',
      count: tenth,
      columns: {
        ...ofOrg,
        id: sqlId('deployment', 'n'),
        ...lane,
        ...payload,
        active_minutes: '1440',
        release_id: `case when n % 2 = 1 or n = ${openDeployment} then ${sqlId('release', `1 + n % ${size.releases}`)} end`,
        config_id: `case when ${isOfConfig} then ${sqlId('config', `1 + n % ${size.releases}`)} end`,
        revision: `case when ${isOfConfig} then 1 end`,
        namespace: `case when ${isOfConfig} then 'ns' end`,
        key: `case when ${isOfConfig} then 'key' end`,
        target_kind: `case when n <= ${openDeployment} then 'fleet' else 'robot' end`,
        target_id: `case when n <= ${openDeployment} then ${sqlId('fleet', 1)} else ${sqlId('robot', 'n')} end`,
        status: `case when n = ${openDeployment} then 'in_progress' when n % 100 in (3, 4) then 'failed' else 'applied' end`,
        started_at: 'now()',
        rank: 'n',
        created_at: createdAt,
        ended_at: `case when n <> ${openDeployment} then now() end`,
        retry_of: `case when n % 1000 = 9 then ${sqlId('deployment', 'n - 1')} end`,
        retried_at: 'case when n % 1000 = 9 then now() end',
      },
    },
    {
      table: 'deployment_counts',
      count: tenth,
      columns: {
        ...deploymentOf('n'),
        total: '1',
        applied: '1',
        next_deadline_at: `case when n = ${openDeployment} then now() + interval '1 day' end`,
      },
    },
    {
      table: 'targets',
      count: robots,
      columns: {
        ...deploymentOf(wholeFleet),
        org_id: orgOfRobot(orgId),
        robot_id: sqlId('robot', 'n'),
        ...lane,
        rank: '1',
        wave: 'case when n % 100 = 0 then 2 else 1 end',
        status: `case when n % 1000 = 3 then 'failed' else 'applied' end`,
        reason: `case when n % 1000 = 3 then 'install_failed' end`,
      },
    },
    {
      table: 'targets',
      count: robots,
      columns: {
        ...deploymentOf(openDeployment),
        robot_id: sqlId('robot', 'n'),
        ...lane,
        rank: '2',
        status: `'waiting'`,
        deadline_at: `now() + interval '1 day'`,
      },
      where: 'n % 10 = 1',
    },
    {
      table: 'open_targets',
      count: robots,
      columns: { ...deploymentOf(openDeployment), robot_id: sqlId('robot', 'n') },
      where: 'n % 10 = 1',
    },
    {
      table: 'targets',
      count: tenth,
      columns: { ...deploymentOf('n'), robot_id: sqlId('robot', 'n'), ...lane, rank: 'n', status: `'applied'` },
      where: `n > ${openDeployment}`,
    },
    {
      table: 'deployment_events',
      count: tenth,
      columns: {
        ...deploymentOf(wholeFleet),
        seq: 'n',
        status: `'in_progress'`,
        robot_id: sqlId('robot', 'n'),
        target_status: `'applied'`,
      },
    },
    {
      table: 'orders',
      count: robots,
      columns: {
        ...robotOf('n'),
        id: sqlId('order', 'n'),
        lane: `'release:file'`,
        ...payload,
        sequence: '1',
        ended_at: 'now()',
        deployment_ids: `array[${sqlId('deployment', wholeFleet)}]`,
      },
    },
    {
      table: 'rollout_failures',
      count: hundredth,
      columns: { ...deploymentOf(wholeFleet), robot_id: sqlId('robot', 'n'), wave: '1', cause: `'failed'` },
    },
    {
      table: 'rollback_robots',
      count: hundredth,
      columns: { ...deploymentOf(wholeFleet), robot_id: sqlId('robot', 'n'), wave: '1' },
    },
    { table: 'selectors', count: hundredth, columns: { ...ofOrg, id: sqlId('selector', 'n'), text: `'serial=' || n` } },
    {
      table: 'deployment_plans',
      count: 1,
      columns: {
        ...ofOrg,
        id: sqlId('plan', 'n'),
        ...lane,
        payload_digest: payload.payload_digest,
        hash: `repeat('c', 64)`,
        release_id: sqlId('release', 1),
        target_kind: `'fleet'`,
        target_id: sqlId('fleet', 1),
        expires_at: `now() + interval '1 day'`,
      },
    },
    {
      table: 'plan_robots',
      count: robots,
      columns: { ...robotOf('n'), plan_id: sqlId('plan', 1), place: 'n', wave: '1 + n % 3' },
    },
    {
      table: 'timeline',
      count: tenth,
      columns: { ...robotOf('1 + n % 1000'), id: sqlId('event', 'n'), seq: 'n', at: createdAt, kind: `'connected'` },
    },
    {
      table: 'shell_sessions',
      count: tenth,
      columns: {
        ...robotOf('n'),
        id: sqlId('session', 'n'),
        token_id: sqlId('token', 'n'),
        created_at: createdAt,
        replica_id: sqlId('replica', 2),
        ended_at: 'now()',
        recorded: 'false',
      },
    },
    {
      table: 'maintenance_windows',
      count: hundredth,
      columns: {
        ...robotOf('n'),
        id: sqlId('window', 'n'),
        target_kind: `'robot'`,
        target_id: sqlId('robot', 'n'),
        reason: `'a test'`,
        created_at: createdAt,
        ends_at: `now() + interval '1 day'`,
        ended_at: 'case when n % 10 > 0 then now() end',
      },
    },
    {
      table: 'idempotency_keys',
      count: hundredth,
      columns: {
        ...ofOrg,
        operation: `'createSite'`,
        key: `'key-' || n`,
        fingerprint: `'\\x00'`,
        created_at: createdAt,
      },
    },
  ];
}
