import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { foundIn, headersFor, operations, parametersIn, requiredQuery, type Operation } from '../support/operations.ts';
import { startScene } from '../support/scene.ts';
import { startIsolatedWorld, startWorld, type Answer, type World } from '../support/world.ts';
import { identities, type Identity } from './identities.ts';

/**
 * Who may call what, by hand: the least role for user and org tokens, or the one kind of token that is taken. A change of the contract that opens an
 * operation further, and a new operation, must be written here as well.
 */
const pinned: Record<string, string> = {
  'GET /api/whoami': 'viewer',
  'GET /api/org': 'viewer',
  'PATCH /api/org': 'admin',
  'GET /api/org/quotas': 'viewer',
  'GET /api/users': 'admin',
  'POST /api/users': 'admin',
  'PATCH /api/users/{id}': 'admin',
  'DELETE /api/users/{id}': 'admin',
  'POST /api/users/{id}/tokens': 'admin',
  'GET /api/tokens': 'admin',
  'POST /api/tokens/{id}/revoke': 'admin',
  'GET /api/sites': 'viewer',
  'POST /api/sites': 'operator',
  'GET /api/sites/{id}': 'viewer',
  'PATCH /api/sites/{id}': 'operator',
  'DELETE /api/sites/{id}': 'operator',
  'GET /api/fleets/{id}': 'viewer',
  'PATCH /api/fleets/{id}': 'operator',
  'DELETE /api/fleets/{id}': 'operator',
  'GET /api/robot-metrics': 'viewer',
  'GET /api/robots/{id}/metrics': 'viewer',
  'GET /api/fleets': 'viewer',
  'GET /api/fleets/{id}/logs': 'viewer',
  'GET /api/logs': 'viewer',
  'GET /api/log-stats': 'viewer',
  'POST /api/fleets': 'operator',
  'GET /api/enrollment-keys': 'viewer',
  'POST /api/enrollment-keys': 'operator',
  'POST /api/enrollment-keys/{id}/revoke': 'operator',
  'GET /api/robots': 'viewer',
  'GET /api/robots/{id}': 'viewer',
  'GET /api/robots/{id}/health': 'viewer',
  'GET /api/robots/{id}/logs': 'viewer',
  'GET /api/robots/{id}/timeline': 'viewer',
  'GET /api/robots/{id}/ros/topics': 'viewer',
  'PATCH /api/robots/{id}': 'operator',
  'DELETE /api/robots/{id}': 'operator',
  'GET /api/robots/{id}/pin': 'viewer',
  'PUT /api/robots/{id}/pin': 'operator',
  'DELETE /api/robots/{id}/pin': 'operator',
  'POST /api/robots/{id}/rotate-token': 'admin',
  'GET /api/condition-rules': 'viewer',
  'POST /api/condition-rules': 'operator',
  'GET /api/condition-rules/{id}': 'viewer',
  'PATCH /api/condition-rules/{id}': 'operator',
  'DELETE /api/condition-rules/{id}': 'operator',
  'GET /api/condition-matches': 'viewer',
  'GET /api/health-summary': 'viewer',
  'GET /api/health-history': 'viewer',
  'GET /api/maintenance-windows': 'viewer',
  'POST /api/maintenance-windows': 'operator',
  'POST /api/maintenance-windows/{id}/end': 'operator',
  'POST /api/stream-tickets': 'viewer',
  'GET /api/shell-sessions': 'operator',
  'GET /api/shell-sessions/{id}/recording': 'admin',
  'GET /api/releases': 'viewer',
  'PATCH /api/releases/{id}': 'operator',
  'POST /api/releases': 'operator',
  'PUT /api/artifacts/{sha256}': 'operator',
  'GET /api/artifacts/{sha256}': 'viewer, or a robot token',
  'HEAD /api/artifacts/{sha256}': 'viewer, or a robot token',
  'GET /api/rollout-policies': 'viewer',
  'POST /api/rollout-policies': 'operator',
  'GET /api/rollout-policies/{id}': 'viewer',
  'PATCH /api/rollout-policies/{id}': 'operator',
  'DELETE /api/rollout-policies/{id}': 'operator',
  'GET /api/disruption-budgets': 'viewer',
  'POST /api/disruption-budgets': 'admin',
  'GET /api/disruption-budgets/{id}': 'viewer',
  'PATCH /api/disruption-budgets/{id}': 'admin',
  'DELETE /api/disruption-budgets/{id}': 'admin',
  'GET /api/log-redactions': 'viewer',
  'POST /api/log-redactions': 'admin',
  'POST /api/log-redactions/test': 'admin',
  'GET /api/log-redactions/{id}': 'viewer',
  'PATCH /api/log-redactions/{id}': 'admin',
  'DELETE /api/log-redactions/{id}': 'admin',
  'POST /api/deployment-plans': 'operator',
  'GET /api/deployment-plans/{id}': 'viewer',
  'GET /api/deployment-plans/{id}/robots': 'viewer',
  'GET /api/deployment-freeze': 'viewer',
  'PUT /api/deployment-freeze': 'operator',
  'DELETE /api/deployment-freeze': 'operator',
  'GET /api/deployments': 'viewer',
  'POST /api/deployments': 'operator',
  'GET /api/deployments/{id}': 'viewer',
  'GET /api/deployments/{id}/targets': 'viewer',
  'GET /api/deployments/{id}/events': 'viewer',
  'POST /api/deployments/{id}/cancel': 'operator',
  'POST /api/deployments/{id}/pause': 'operator',
  'POST /api/deployments/{id}/resume': 'operator',
  'POST /api/deployments/{id}/advance': 'operator',
  'POST /api/deployments/{id}/skip': 'operator',
  'PUT /api/deployments/{id}/waves': 'operator',
  'GET /api/deployments/{id}/rollback': 'viewer',
  'POST /api/deployments/{id}/rollback': 'operator',
  'GET /api/deployments/{id}/retry': 'viewer',
  'POST /api/deployments/{id}/retry': 'operator',
  'GET /api/deployments/{id}/approvals': 'viewer',
  'POST /api/deployments/{id}/approvals': 'viewer',
  'GET /api/configs': 'viewer',
  'POST /api/configs': 'operator',
  'DELETE /api/configs/{id}': 'operator',
  'GET /api/config-revisions': 'viewer',
  'GET /api/configs/deployments': 'viewer',
  'POST /api/configs/deployments': 'operator',
  'GET /api/configs/deployments/{id}': 'viewer',
  'GET /api/configs/deployments/{id}/targets': 'viewer',
  'GET /api/configs/deployments/{id}/events': 'viewer',
  'POST /api/configs/deployments/{id}/cancel': 'operator',
  'POST /api/configs/deployments/{id}/pause': 'operator',
  'POST /api/configs/deployments/{id}/resume': 'operator',
  'POST /api/configs/deployments/{id}/advance': 'operator',
  'POST /api/configs/deployments/{id}/skip': 'operator',
  'PUT /api/configs/deployments/{id}/waves': 'operator',
  'GET /api/configs/deployments/{id}/rollback': 'viewer',
  'POST /api/configs/deployments/{id}/rollback': 'operator',
  'GET /api/configs/deployments/{id}/retry': 'viewer',
  'POST /api/configs/deployments/{id}/retry': 'operator',
  'GET /api/configs/deployments/{id}/approvals': 'viewer',
  'POST /api/configs/deployments/{id}/approvals': 'viewer',
  'POST /agent/enroll': 'an enrollment key',
  'POST /agent/token': 'a robot token',
  'GET /agent/payloads/{digest}': 'a robot token',
  'GET /api/audit': 'admin',
  'GET /api/admin/orgs': 'the admin token',
  'POST /api/admin/orgs': 'the admin token',
  'POST /api/admin/orgs/{id}/approve': 'the admin token',
  'POST /api/admin/orgs/{id}/suspend': 'the admin token',
  'POST /api/admin/orgs/{id}/resume': 'the admin token',
  'POST /api/admin/orgs/{id}/tokens': 'the admin token',
  'GET /api/admin/orgs/{id}/quotas': 'the admin token',
  'PUT /api/admin/orgs/{id}/quotas': 'the admin token',
  'GET /api/admin/stats': 'the admin token',
  'GET /api/admin/status': 'the admin token',
};

const roles = ['viewer', 'operator', 'admin'];

/** What the contract says of this identity: 401 for nobody, 403 for the wrong kind or too low a role, else let in. */
function verdictOf(operation: Operation, { kind, role }: Identity): 401 | 403 | 'let in' {
  if (kind === undefined) return 401;
  if (!operation.tokenKinds.includes(kind)) return 403;
  if (operation.leastRole === undefined || kind === 'robot') return 'let in';
  return roles.indexOf(role ?? '') >= roles.indexOf(operation.leastRole) ? 'let in' : 403;
}

/** Waits until the engine has nothing to begin, to decide and to end: no agent is connected here. */
const settled = (world: World) =>
  expect
    .poll(
      async () => {
        const { rows } = await world.db.raw<{ rows: unknown[] }>(
          `select 1 from deployments where rollback_at is not null and decide_at <= now() or retries_left > 0 and ended_at is not null or ended_at is null
            and (cancelled_at is not null or is_superseding or rank is not null and not is_gradual or (status = 'scheduled' and due_at <= now() and not exists (select from deployment_freezes f where f.org_id = deployments.org_id and f.thawed_at is null))
                or exists (select from deployment_freezes f where f.org_id = deployments.org_id
                              and (f.thawed_at is null and rollback_of is null and status in ('scheduled', 'pending', 'in_progress') or f.thawed_at is not null and status = 'paused' and pause_code = 'frozen'))
                or exists (select from waves w where w.deployment_id = id and w.wave = open_wave and open_wave < last_wave and w.ended_at is not null)
                or exists (select from targets t where t.deployment_id = id and t.status = 'waiting' and t.reason = 'wave_skipped'))`,
        );
        return rows.length;
      },
      { timeout: 60_000 }, // hundreds of deployments, beside other tests
    )
    .toBe(0);

/** How many rows every table holds and a digest of them: a call that changes anything changes it. A refused one is a use of its token. */
async function contents(world: World): Promise<string> {
  await settled(world);
  const tables = [
    'orgs',
    'org_quotas',
    'org_streams',
    'users',
    'sites',
    'fleets',
    'enrollment_keys',
    'robots',
    'robot_pins',
    'tokens',
    'audit',
    'idempotency_keys',
    'robot_links',
    'robot_health',
    'condition_rules',
    'health_history',
    'maintenance_windows',
    'rollout_policies',
    'disruption_budgets',
    'log_redactions',
    'selectors',
    'timeline',
    'releases',
    'artifacts',
    'configs',
    'config_revisions',
    'payloads',
    'deployment_freezes',
    'deployment_plans',
    'plan_robots',
    'deployments',
    'deployment_approvals',
    'deployment_counts',
    'deployment_events',
    'targets',
    'retry_robots',
    'rollback_robots',
    'rollback_signatures',
    'orders',
    'stream_tickets',
    'shell_sessions',
    'shell_recordings',
    'people',
    'portal_sessions',
    'sign_ins',
    'sign_in_codes',
  ];
  const each = tables.map(
    (table) =>
      `select '${table} ' || count(*) || ' ' || coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') as rows
         from (select to_jsonb(t) - '{last_used_at,decide_at,admit_at,waiting_until}'::text[] as t from ${table} t) t`,
  );
  const { rows } = await world.db.raw<{ rows: { rows: string }[] }>(each.join(' union all '));
  return rows
    .map((row) => row.rows)
    .sort()
    .join('\n');
}

/** An answer without what is another with every answer: its time, its request id. */
const essence = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: [...headers].map(([name, value]) => (['date', 'x-request-id'].includes(name) ? name : `${name}: ${value}`)),
});

test('the contract lets in whom the table by hand lets in, operation by operation', () => {
  const only: Record<string, string> = {
    enroll: 'an enrollment key',
    robot: 'a robot token',
    admin: 'the admin token',
  };
  const told = operations.map(({ method, path, tokenKinds, leastRole }) => [
    `${method} ${path}`,
    leastRole === undefined
      ? only[tokenKinds.join()]
      : { 'user,org': leastRole, 'user,org,robot': `${leastRole}, or a robot token` }[tokenKinds.join()],
  ]);
  expect(Object.fromEntries(told)).toEqual(pinned);
});

test('every operation lets in exactly whom the contract names, and a refused call changes no row', async () => {
  // Agents are heard of no more after their hello, so that no sign of life of theirs is taken for what a refused call did.
  await using world = await startIsolatedWorld({ linkLimits: { pingEveryMs: 600_000, deadAfterMs: 600_000 } });
  const scene = await startScene(world);
  const everybody = await identities(world, scene);
  for (const operation of operations) {
    const cells = Object.entries(everybody).map(([who, identity]) => ({
      cell: `${operation.id} by ${who}`,
      identity,
      verdict: verdictOf(operation, identity),
    }));
    const attempt = async ({ cell, identity, verdict }: (typeof cells)[number]) => {
      const { path, headers, body } = await scene.call(operation, { fresh: verdict === 'let in' });
      const answer = await world.call(operation.method, path, { token: identity.token, headers, body });
      if (verdict === 'let in') expect([200, 201], `${cell}: ${answer.text}`).toContain(answer.status);
      else expect(answer.status, `${cell}: ${answer.text}`).toBe(verdict);
      // Whose org it is, is told to those whose token names one, also when they are refused, and to nobody else.
      const org = verdict !== 401 && identity.kind !== 'admin' ? world.orgId : null;
      expect(answer.headers.get('x-service-org-id'), cell).toBe(org);
      expect(answer.headers.get('www-authenticate'), cell).toBe(verdict === 401 ? 'Bearer' : null);
    };
    const before = await contents(world);
    await Promise.all(cells.filter(({ verdict }) => verdict !== 'let in').map(attempt));
    expect(await contents(world), `rows after the refused calls of ${operation.id}`).toBe(before);
    for (const cell of cells.filter(({ verdict }) => verdict === 'let in')) await attempt(cell);
  }
});

test('where there is no operation a good token learns that, and nobody else learns anything', async () => {
  await using world = await startWorld();
  for (const path of ['/api/nowhere', '/api', '/agent', '/api/admin/nowhere', '/api/sites/x/y']) {
    expect((await world.call('GET', path, { token: '' })).status).toBe(401);
    expect((await world.call('GET', path, { token: 'garbage' })).status).toBe(401);
    expect((await world.call('GET', path)).status).toBe(404);
  }
  expect((await world.call('DELETE', '/api/sites', { token: '' })).status).toBe(401);
});

/** The calls of an operation that name an object: one for each place where an id can stand. `id` puts one there. */
function namings(
  operation: Operation,
  own: Record<string, string>,
): { what: string; call: (ids: Record<string, string>) => { path: string; body: object | undefined } }[] {
  const example = operation.body?.example as Record<string, unknown> | undefined;
  const bodyIds = Object.keys(operation.body?.schema.properties ?? {}).filter(
    (name) => name.endsWith('_id') && name !== 'key_id', // which key a signature is of
  );
  const queryIds = parametersIn(operation, 'query').filter(({ name }) => name.endsWith('_id'));
  const kind =
    /^\/api\/(?:admin\/)?(\w+?)s?(?:\/|$)/.exec(
      operation.path
        .replace('enrollment-keys', 'keys')
        .replace('configs/deployments', 'config_deployments')
        .replace('condition-rules', 'rules')
        .replace('rollout-policies', 'rollout_policys')
        .replace('disruption-budgets', 'budgets')
        .replace('log-redactions', 'redactions')
        .replace('deployment-plans', 'plans')
        .replace('maintenance-windows', 'windows'),
    )?.[1] ?? '';
  const body = (ids: Record<string, string>) =>
    example && { ...example, ...Object.fromEntries(bodyIds.map((name) => [name, ids[name]])) };
  /** A plan excludes the fields that it has; and a deployment to plan is of a release or of a config. */
  const bodyWith = (name: string, id: string) => {
    if (name === 'plan_id') return { plan_id: id };
    const others = operation.id === 'createDeploymentPlan' && {
      ...(name === 'config_id' ? { kind: 'config', release_id: undefined } : { config_id: undefined }),
    };
    return { ...body({ ...own, [name]: id }), ...others };
  };
  const path = (ids: Record<string, string>) => operation.path.replace('{id}', ids[`${kind}_id`] ?? 'missing');
  return [
    ...(operation.path.includes('{id}')
      ? [{ what: 'its path', call: (ids: Record<string, string>) => ({ path: path(ids), body: body(own) }) }]
      : []),
    ...bodyIds.map((name) => ({
      what: `body.${name}`,
      call: (ids: Record<string, string>) => ({ path: path(own), body: bodyWith(name, ids[name] ?? '') }),
    })),
    ...queryIds.map(({ name }) => ({
      what: `query ${name}`,
      call: (ids: Record<string, string>) => ({
        path: `${path(own)}?${new URLSearchParams({ ...requiredQuery(operation), [name]: ids[name] ?? '' }).toString()}`,
        body: undefined,
      }),
    })),
  ];
}

const orderOf = (ids: Record<string, string>, what: 'release_id' | 'config_id') => ({
  [what]: ids[what],
  target_kind: 'fleet',
  target_id: ids['target_id'],
});

test("another org's ids answer exactly like ids that do not exist, at every place that takes an id, and change nothing", async () => {
  await using world = await startIsolatedWorld();
  const make = factories(world);
  const theirs = await startScene(world);
  const other = await make.org();
  const ownKey = await make.key({}, other.token);
  const ownRobot = await make.robot('own', ownKey);
  const asOther = { token: other.token };
  const user = await world.call('POST', '/api/users', { ...asOther, body: { email: 'o@example.com', role: 'admin' } });
  const issued = await world.call('POST', `/api/users/${user.body.data.id}/tokens`, { ...asOther, body: {} });
  const own: Record<string, string> = {
    site_id: ownKey.site_id,
    fleet_id: ownKey.fleet_id,
    key_id: ownKey.id,
    robot_id: ownRobot.robot_id,
    user_id: user.body.data.id,
    token_id: issued.body.data.id,
    release_id: (await make.release({}, other.token)).id,
    config_id: (await make.config({}, other.token)).id,
    target_id: ownKey.fleet_id,
  };
  Object.assign(own, {
    deployment_id: (await make.deployment(orderOf(own, 'release_id'), other.token)).id,
    config_deployment_id: (await make.deployment(orderOf(own, 'config_id'), other.token)).id,
    rule_id: (await make.rule({}, other.token)).id,
    rollout_policy_id: (await make.policy({}, other.token)).id,
    budget_id: (await make.budget({}, other.token)).id,
    redaction_id: (await make.redaction({}, other.token)).id,
    window_id: (await make.maintenance(own['fleet_id'] ?? '', other.token)).id,
  });
  const foreign: Record<string, string> = {
    site_id: theirs.siteId,
    fleet_id: theirs.fleetId,
    key_id: theirs.keyId,
    robot_id: theirs.robotId,
    user_id: theirs.userId,
    token_id: theirs.tokenId,
    release_id: theirs.releaseId,
    config_id: theirs.configId,
    target_id: theirs.fleetId,
    deployment_id: theirs.deploymentId,
    config_deployment_id: theirs.configDeploymentId,
    rule_id: theirs.ruleId,
    rollout_policy_id: theirs.policyId,
    plan_id: theirs.planId,
    budget_id: theirs.budgetId,
    redaction_id: theirs.redactionId,
    window_id: theirs.windowId,
    actor_id: world.orgId,
    object_id: theirs.robotId,
  };
  const unknown = Object.fromEntries(Object.keys(foreign).map((name) => [name, randomUUID()]));

  const places: string[] = [];
  for (const operation of operations.filter(({ tokenKinds }) => tokenKinds.includes('user')))
    for (const { what, call } of namings(operation, own))
      for (const token of [other.token, issued.body.data.value as string]) {
        const before = await contents(world);
        const tried = async (ids: Record<string, string>) => {
          const { path, body } = call(ids);
          return essence(await world.call(operation.method, path, { token, headers: headersFor(operation), body }));
        };
        const answer = await tried(foreign);
        expect(answer, `${operation.id}, ${what}`).toEqual(await tried(unknown));
        if (operation.method === 'GET' && what !== 'its path') expect(foundIn(JSON.parse(answer.text))).toEqual([]);
        else expect(answer.status, `${operation.id}, ${what}`).toBe(404);
        if (operation.id !== 'listAuditEntries') expect(await contents(world), operation.id).toBe(before);
        places.push(`${operation.id} ${what}`);
      }
  // The places themselves, so that none is missed for want of a name that ends in _id.
  expect([...new Set(places)].sort()).toEqual([
    'advanceConfigDeployment its path',
    'advanceDeployment its path',
    'cancelConfigDeployment its path',
    'cancelDeployment its path',
    'createConfigDeployment body.config_id',
    'createConfigDeployment body.plan_id',
    'createConfigDeployment body.rollout_policy_id',
    'createConfigDeployment body.target_id',
    'createConfigDeploymentApproval its path',
    'createConfigDeploymentRetry its path',
    'createConfigDeploymentRollback its path',
    'createDeployment body.plan_id',
    'createDeployment body.release_id',
    'createDeployment body.rollout_policy_id',
    'createDeployment body.target_id',
    'createDeploymentApproval its path',
    'createDeploymentPlan body.config_id',
    'createDeploymentPlan body.release_id',
    'createDeploymentPlan body.rollout_policy_id',
    'createDeploymentPlan body.target_id',
    'createDeploymentRetry its path',
    'createDeploymentRollback its path',
    'createEnrollmentKey body.fleet_id',
    'createEnrollmentKey body.site_id',
    'createFleet body.site_id',
    'createMaintenanceWindow body.target_id',
    'createStreamTicket body.robot_id',
    'createUserToken its path',
    'deleteConditionRule its path',
    'deleteConfig its path',
    'deleteDisruptionBudget its path',
    'deleteFleet its path',
    'deleteLogRedaction its path',
    'deleteRobot its path',
    'deleteRobotPin its path',
    'deleteRolloutPolicy its path',
    'deleteSite its path',
    'deleteUser its path',
    'downloadShellRecording its path',
    'endMaintenanceWindow its path',
    'getConditionRule its path',
    'getConfigDeployment its path',
    'getConfigDeploymentApprovals its path',
    'getConfigDeploymentRetry its path',
    'getConfigDeploymentRollback its path',
    'getDeployment its path',
    'getDeploymentApprovals its path',
    'getDeploymentPlan its path',
    'getDeploymentRetry its path',
    'getDeploymentRollback its path',
    'getDisruptionBudget its path',
    'getFleet its path',
    'getLogRedaction its path',
    'getLogStats query fleet_id',
    'getLogStats query robot_id',
    'getLogStats query site_id',
    'getRobot its path',
    'getRobotHealth its path',
    'getRobotMetrics its path',
    'getRobotPin its path',
    'getRolloutPolicy its path',
    'getSite its path',
    'listAuditEntries query actor_id',
    'listAuditEntries query object_id',
    'listConditionMatches query fleet_id',
    'listConditionMatches query site_id',
    'listConfigDeploymentEvents its path',
    'listConfigDeploymentTargets its path',
    'listConfigDeploymentTargets query robot_id',
    'listConfigDeployments query config_id',
    'listConfigDeployments query target_id',
    'listConfigRevisions query config_id',
    'listDeploymentEvents its path',
    'listDeploymentPlanRobots its path',
    'listDeploymentTargets its path',
    'listDeploymentTargets query robot_id',
    'listDeployments query release_id',
    'listDeployments query target_id',
    'listEnrollmentKeys query fleet_id',
    'listEnrollmentKeys query site_id',
    'listFleetLogs its path',
    'listFleets query site_id',
    'listLogs query fleet_id',
    'listLogs query robot_id',
    'listLogs query site_id',
    'listRobotLogs its path',
    'listRobotMetrics query fleet_id',
    'listRobotMetrics query site_id',
    'listRobotTimeline its path',
    'listRobotTopics its path',
    'listRobots query fleet_id',
    'listRobots query release_id',
    'listRobots query site_id',
    'listShellSessions query robot_id',
    'listTokens query robot_id',
    'listTokens query user_id',
    'pauseConfigDeployment its path',
    'pauseDeployment its path',
    'resumeConfigDeployment its path',
    'resumeDeployment its path',
    'revokeEnrollmentKey its path',
    'revokeToken its path',
    'rotateRobotToken its path',
    'setConfigDeploymentWaves its path',
    'setDeploymentWaves its path',
    'setRobotPin body.release_id',
    'setRobotPin its path',
    'skipConfigDeploymentWave its path',
    'skipDeploymentWave its path',
    'updateConditionRule its path',
    'updateDisruptionBudget its path',
    'updateFleet its path',
    'updateLogRedaction its path',
    'updateRelease its path',
    'updateRobot body.fleet_id',
    'updateRobot its path',
    'updateRolloutPolicy its path',
    'updateSite its path',
    'updateUser its path',
  ]);
});

test("no list shows another org's objects, and no token chooses another org", async () => {
  await using world = await startWorld();
  const theirs = await startScene(world);
  const other = await factories(world).org();
  const secrets = [theirs.siteId, theirs.fleetId, theirs.keyId, theirs.robotId, theirs.userId, theirs.tokenId];
  secrets.push(theirs.releaseId, theirs.configId, theirs.deploymentId, theirs.configDeploymentId);
  const lists = operations.filter(
    ({ method, path, tokenKinds }) => method === 'GET' && !path.includes('{') && tokenKinds.includes('org'),
  );
  for (const { id, ...operation } of lists) {
    const query = new URLSearchParams(requiredQuery({ id, ...operation })).toString();
    const path = query === '' ? operation.path : `${operation.path}?${query}`;
    const { text } = await world.call('GET', path, { token: other.token });
    expect(
      [...secrets, world.orgId].filter((secret) => text.includes(secret)),
      id,
    ).toEqual([]);
    const choose = (orgId: string) =>
      world.call('GET', path, { token: other.token, headers: { 'X-Service-Org-Id': orgId } });
    expect((await choose(other.id)).status, id).toBe(200);
    expect((await choose(world.orgId)).status, id).toBe(404);
    expect(essence(await choose(world.orgId)), id).toEqual(essence(await choose(randomUUID())));
  }
  expect(lists.length).toBeGreaterThanOrEqual(8);
});
