import { hash, randomBytes, randomUUID } from 'node:crypto';
import { factories } from './factories.ts';
import { headersFor, requiredQuery, type Operation } from './operations.ts';
import { answerTopics } from './watch.ts';
import { applied, begun, timedOut } from './applied.ts';
import type { World } from './world.ts';

/** A call that the contract allows, with ids of existing objects. */
export interface ReadyCall {
  path: string;
  headers: Record<string, string>;
  body: Record<string, unknown> | undefined;
}

export interface Scene {
  siteId: string;
  fleetId: string;
  keyId: string;
  keyValue: string;
  robotId: string;
  robotToken: string;
  userId: string;
  tokenId: string;
  releaseId: string;
  configId: string;
  deploymentId: string;
  configDeploymentId: string;
  ruleId: string;
  windowId: string;
  policyId: string;
  planId: string;
  budgetId: string;
  redactionId: string;
  /** A token that may make the call. */
  tokenFor(operation: Operation): string;
  /**
   * An operation's call that should succeed once, for any permitted caller: its example, with the ids of this scene.
   * With `fresh`, the object in its path is created for it, in the operation's initial state; else it is any one.
   */
  call(operation: Operation, options?: { fresh?: boolean }): Promise<ReadyCall>;
}

/** Operations whose `name` may be that of no other object. */
const uniquelyNamed = [
  'createConditionRule',
  'createRolloutPolicy',
  'createDisruptionBudget',
  'createLogRedaction',
  'createSite',
  'createFleet',
  'updateRolloutPolicy',
  'updateSite',
  'updateFleet',
  'updateRobot',
];

const inADay = () => new Date(Date.now() + 86_400_000).toISOString();

/** One of each object in the world's org, so that every operation of the contract can be called. */
export async function startScene(world: World): Promise<Scene> {
  const make = factories(world);
  const fleet = await make.fleet();
  const place = { site_id: fleet.site_id as string, fleet_id: fleet.id as string };
  const newKey = async () =>
    (await world.call('POST', '/api/enrollment-keys', { body: place })).body.data as { id: string; value: string };
  const key = await newKey();
  const newRobot = async () => (await make.robot('amr-1', key)) as unknown as { robot_id: string; robot_token: string };
  const newUser = async () => (await make.user('viewer', `${randomUUID()}@example.com`)) as unknown as { id: string };
  const newToken = async (userId: string) =>
    (await world.call('POST', `/api/users/${userId}/tokens`, { body: {} })).body.data as { id: string };
  const newOrg = async (...moves: string[]) => {
    const made = await world.call('POST', '/api/admin/orgs', { token: world.adminToken, body: { name: 'Third' } });
    const { id } = made.body.data as { id: string };
    for (const move of moves) await world.call('POST', `/api/admin/orgs/${id}/${move}`, { token: world.adminToken });
    return id;
  };

  const robot = await newRobot();
  const user = await newUser();
  const token = await newToken(user.id);
  const release = (await make.release()) as { id: string };
  // An empty file: a call without a body uploads it.
  const artifact = hash('sha256', '');
  await make.release({ artifact_sha256: artifact, artifact_size: 0 });
  await world.call('PUT', `/api/artifacts/${artifact}`, { headers: { 'Content-Type': 'application/octet-stream' } });
  const config = (await make.config()) as { id: string };
  const session = { org_id: world.orgId, id: randomUUID() };
  await world.db('shell_sessions').insert({
    ...session,
    robot_id: robot.robot_id,
    token_id: token.id,
    replica_id: randomUUID(),
    ended_at: world.db.fn.now(),
    recorded: true,
  });
  /** Due in a year, so that nothing changes by itself. */
  const newOrder = async (of: object) =>
    (
      await make.deployment({
        ...of,
        target_kind: 'fleet',
        target_id: place.fleet_id,
        scheduled_at: new Date(Date.now() + 365 * 86_400_000).toISOString(),
      })
    ).id as string;
  /** One that has begun, of the offline robots of a fleet, and that no other one replaces. */
  const begunOrder = async (of: object, more: object = {}) => {
    const { id } = await make.deployment({ ...of, target_kind: 'fleet', target_id: place.fleet_id, ...more });
    await begun(world, id);
    return id as string;
  };
  /** Its robots are in the first of two waves, so that it can advance, skip one and change the other. */
  const newRollout = (of: object, first: object = { count: 200_000 }) =>
    begunOrder(of, { rollout: { waves: [first, { count: 1 }] } });
  /** One that all its robots have applied, after one of them applied the earlier one: it can be rolled back. */
  const appliedOrder = async (earlier: object, of: object) => {
    await newRobot();
    const atRobot = { target_kind: 'robot', target_id: robot.robot_id };
    await applied(world, await begunOrder(earlier, atRobot));
    const id = await begunOrder(of);
    await applied(world, id);
    return id;
  };
  const failedOrder = async (of: object) => {
    const id = await begunOrder(of);
    await timedOut(world, id);
    return id;
  };
  const author = await make.userToken('operator', `${randomUUID()}@example.com`);
  /** One that any role may approve, of an author who approves nothing; one approval is not enough. */
  const unapprovedOrder = async (of: object) => {
    const rollout = { waves: [{ count: 1 }], approval: { people: 2, role: 'viewer' } };
    const wish = { ...of, target_kind: 'fleet', target_id: place.fleet_id, rollout };
    return (await make.deployment(wish, author)).id as string;
  };
  const pinnedRobot = async () => {
    const { robot_id: id } = await newRobot();
    const pin = { release_id: release.id, until: inADay(), reason: 'a test' };
    await world.call('PUT', `/api/robots/${id}/pin`, { body: pin });
    return id;
  };
  const newDeployment = () => newOrder({ release_id: release.id });
  const newConfigDeployment = () => newOrder({ config_id: config.id });
  const newSite = async () => (await make.site(`site ${randomUUID()}`)) as { id: string };
  const newFleet = async () => (await make.fleet(place.site_id, `fleet ${randomUUID()}`)) as { id: string };
  const newRule = async () => (await make.rule()) as { id: string };
  const newWindow = async () => (await make.maintenance(place.fleet_id)) as { id: string };
  const newPolicy = async () => (await make.policy()) as { id: string };
  const newPlan = async () =>
    (await make.plan({ release_id: release.id, target_id: place.fleet_id })) as { id: string };
  const newBudget = async () => (await make.budget({ group_by: ['@site'] })) as { id: string };
  const budget = await newBudget();
  const newRedaction = async () => (await make.redaction()) as { id: string };
  const redaction = await newRedaction();
  const [rule, window, policy] = [await newRule(), await newWindow(), await newPolicy()];
  const plan = await newPlan();
  const orders = { release: await newDeployment(), config: await newConfigDeployment() };
  const payload = { body: '{"config":[]}', digest: hash('sha256', '{"config":[]}') };
  await world.db('payloads').insert({ org_id: world.orgId, ...payload });
  await world.db('orders').insert({
    org_id: world.orgId,
    id: randomUUID(),
    robot_id: robot.robot_id,
    lane: 'config',
    payload_digest: payload.digest,
    proof: payload.digest,
  });
  const orgs = {
    approve: await newOrg(),
    suspend: await newOrg('approve'),
    resume: await newOrg('approve', 'suspend'),
    tokens: await newOrg('approve'),
    quotas: await newOrg('approve'),
  };

  const controlled = {
    pause: begunOrder,
    resume: begunOrder,
    advance: (of: object) => newRollout(of, { percent: 100 }),
    skip: newRollout,
    waves: newRollout,
    retry: failedOrder,
  };
  async function idFor({ id, path }: Operation, fresh: boolean): Promise<string> {
    if (id === 'listRobotTopics' && fresh) return answerTopics(world, await newRobot());
    if (path.startsWith('/api/users/')) return fresh ? (await newUser()).id : user.id;
    if (path.startsWith('/api/tokens/')) return fresh ? (await newToken(user.id)).id : token.id;
    if (path.startsWith('/api/enrollment-keys/')) return fresh ? (await newKey()).id : key.id;
    if (path.startsWith('/api/sites/')) return fresh ? (await newSite()).id : place.site_id;
    if (path === '/api/fleets/{id}' && fresh) return (await newFleet()).id;
    if (path.startsWith('/api/condition-rules/')) return fresh ? (await newRule()).id : rule.id;
    if (path.startsWith('/api/maintenance-windows/')) return fresh ? (await newWindow()).id : window.id;
    if (path.startsWith('/api/rollout-policies/')) return fresh ? (await newPolicy()).id : policy.id;
    if (path.startsWith('/api/disruption-budgets/')) return fresh ? (await newBudget()).id : budget.id;
    if (path.startsWith('/api/log-redactions/')) return fresh ? (await newRedaction()).id : redaction.id;
    if (path.startsWith('/api/deployment-plans/')) return fresh ? (await newPlan()).id : plan.id;
    if (path.startsWith('/api/fleets/')) return place.fleet_id;
    if (path.startsWith('/api/shell-sessions/')) return session.id;
    if (fresh && (id === 'getRobotPin' || id === 'deleteRobotPin')) return pinnedRobot();
    if (path.startsWith('/api/robots/')) return fresh ? (await newRobot()).robot_id : robot.robot_id;
    if (fresh && path.startsWith('/api/configs/') && path.endsWith('/rollback')) {
      const key = randomUUID();
      const { id: config_id } = await make.config({ key, value: 'earlier' });
      await make.config({ key });
      return appliedOrder({ config_id, revision: 1 }, { config_id });
    }
    if (fresh && path.endsWith('/rollback')) {
      const kind = `kind-${randomUUID()}`;
      const [earlier, of] = [await make.release({ kind }), await make.release({ kind })];
      return appliedOrder({ release_id: earlier.id }, { release_id: of.id });
    }
    if (fresh && path.startsWith('/api/configs/') && path.endsWith('/approvals'))
      return unapprovedOrder({ config_id: (await make.config({ key: randomUUID() })).id });
    if (fresh && path.endsWith('/approvals')) return unapprovedOrder({ release_id: release.id });
    const control = /\/(pause|resume|advance|skip|waves|retry)$/.exec(path)?.[1] as keyof typeof controlled | undefined;
    const begin = fresh && control !== undefined && controlled[control];
    if (begin && path.startsWith('/api/configs/'))
      return begin({ config_id: (await make.config({ key: randomUUID() })).id });
    if (begin && path.startsWith('/api/deployments/'))
      return begin({ release_id: (await make.release({ kind: `kind-${randomUUID()}` })).id });
    if (path.startsWith('/api/configs/deployments/')) return fresh ? newConfigDeployment() : orders.config;
    if (path === '/api/configs/{id}') return fresh ? (await make.config({ key: randomUUID() })).id : config.id;
    if (path === '/api/releases/{id}') return fresh ? (await make.release()).id : release.id;
    if (path.startsWith('/api/deployments/')) return fresh ? newDeployment() : orders.release;
    if (path.endsWith('/approve')) return fresh ? newOrg() : orgs.approve;
    if (path.endsWith('/suspend')) return fresh ? newOrg('approve') : orgs.suspend;
    if (path.endsWith('/resume')) return fresh ? newOrg('approve', 'suspend') : orgs.resume;
    if (path === '/api/admin/orgs/{id}/tokens') return fresh ? newOrg('approve') : orgs.tokens;
    if (path === '/api/admin/orgs/{id}/quotas') return fresh ? newOrg('approve') : orgs.quotas;
    throw new Error(`no object for ${path}: teach the scene to make one`);
  }

  /** The hash that an approval of a deployment has. */
  async function hashOf(id: string): Promise<{ plan_hash?: string }> {
    const row = await world.db<{ id: string; approval_hash: string | null }>('deployments').where({ id }).first();
    return row?.approval_hash ? { plan_hash: row.approval_hash } : {};
  }

  return {
    siteId: place.site_id,
    fleetId: place.fleet_id,
    keyId: key.id,
    keyValue: key.value,
    robotId: robot.robot_id,
    robotToken: robot.robot_token,
    userId: user.id,
    tokenId: token.id,
    releaseId: release.id,
    configId: config.id,
    deploymentId: orders.release,
    configDeploymentId: orders.config,
    ruleId: rule.id,
    windowId: window.id,
    policyId: policy.id,
    planId: plan.id,
    budgetId: budget.id,
    redactionId: redaction.id,
    tokenFor: ({ tokenKinds }) =>
      ({ enroll: key.value, admin: world.adminToken, robot: robot.robot_token })[tokenKinds[0] ?? ''] ?? world.orgToken,
    async call(operation, { fresh = true } = {}) {
      const id = operation.path.includes('{id}') ? await idFor(operation, fresh) : undefined;
      const named = id
        ? operation.path.replace('{id}', id)
        : operation.path.replace('{digest}', payload.digest).replace('{sha256}', artifact);
      const query = new URLSearchParams(requiredQuery(operation)).toString();
      const path = query === '' ? named : `${named}?${query}`;
      const headers = headersFor(operation);
      const example = operation.body?.example as Record<string, unknown> | undefined;
      if (example === undefined) return { path, headers, body: undefined };
      const own: Record<string, unknown> = {
        ...(id && operation.path.endsWith('/approvals') && (await hashOf(id))),
        ...place,
        robot_id: robot.robot_id,
        release_id: release.id,
        config_id: config.id,
        target_id: place.fleet_id,
        // Each address creates one user, each nonce one robot.
        email: `${randomUUID()}@example.com`,
        nonce: randomBytes(16).toString('hex'),
        ...(operation.id === 'setRobotPin' && { until: inADay() }),
        // Each name is that of one object.
        ...(uniquelyNamed.includes(operation.id) && { name: `name ${randomUUID()}` }),
        ...(operation.id === 'createLogRedaction' && { pattern: `code ${randomUUID()}` }),
      };
      return {
        path,
        headers,
        body: Object.fromEntries(Object.entries(example).map(([name, value]) => [name, own[name] ?? value])),
      };
    },
  };
}
