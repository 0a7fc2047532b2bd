import { randomBytes, randomUUID } from 'node:crypto';
import type { World } from './world.ts';

/** Creates objects through the API, as a client would, and returns the responses. */
export function factories(world: World) {
  const post = async (path: string, body: unknown, token = world.orgToken, headers: Record<string, string> = {}) => {
    const answer = await world.call('POST', path, { token, body, headers });
    if (answer.status > 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body.data;
  };
  /** With this name for the first one, and a unique one for the others. */
  const postNamed = async (path: string, body: { name: string }, token = world.orgToken) => {
    const answer = await world.call('POST', path, { token, body });
    return answer.status === 409
      ? post(path, { ...body, name: `${body.name} ${randomUUID().slice(-12)}` }, token)
      : answer.body.data;
  };
  const made = {
    site: (name?: string, token?: string) =>
      name === undefined ? postNamed('/api/sites', { name: 'Osaka' }, token) : post('/api/sites', { name }, token),
    fleet: async (siteId?: string, name?: string, token?: string) => {
      const site_id = siteId ?? (await made.site(undefined, token)).id;
      return name === undefined
        ? postNamed('/api/fleets', { name: 'pickers', site_id } as { name: string }, token)
        : post('/api/fleets', { name, site_id }, token);
    },
    key: async (options: object = {}, token?: string) => {
      const fleet = await made.fleet(undefined, undefined, token);
      return post('/api/enrollment-keys', { site_id: fleet.site_id, fleet_id: fleet.id, ...options }, token);
    },
    robot: async (name?: string, key?: { value: string }) => {
      const { value } = key ?? (await made.key());
      return post('/agent/enroll', name === undefined ? {} : { name }, value);
    },
    user: (role: string, email = `${role}@example.com`) => post('/api/users', { email, role }),
    userToken: async (role: string, email?: string): Promise<string> => {
      const user = await made.user(role, email);
      return (await post(`/api/users/${user.id}/tokens`, {})).value;
    },
    /** A release with a new artifact. */
    release: async (wish: object = {}, token?: string) =>
      post(
        '/api/releases',
        {
          artifact_sha256: randomBytes(32).toString('hex'),
          artifact_size: 1_000,
          tag: `nav-${randomUUID()}`,
          ...wish,
        },
        token,
      ),
    config: async (wish: object = {}, token?: string) =>
      post('/api/configs', { key: 'nav.max_speed', value: 1.2, ...wish }, token),
    rule: async (wish: object = {}, token?: string) =>
      post(
        '/api/condition-rules',
        { name: `rule ${randomUUID()}`, expression: 'cpu > 99', severity: 'degraded', ...wish },
        token,
      ),
    policy: async (wish: object = {}, token?: string) =>
      post(
        '/api/rollout-policies',
        { name: `policy ${randomUUID()}`, rollout: { waves: [{ percent: 10 }] }, ...wish },
        token,
      ),
    /** It allows everything. */
    budget: async (wish: object = {}, token?: string) =>
      post(
        '/api/disruption-budgets',
        { name: `budget ${randomUUID()}`, max_unavailable: { percent: 100 }, ...wish },
        token,
      ),
    /** A log redaction rule that matches nothing. */
    redaction: async (wish: object = {}, token?: string) =>
      post(
        '/api/log-redactions',
        { name: `redaction ${randomUUID()}`, pattern: `code ${randomUUID()}`, ...wish },
        token,
      ),
    /** The maintenance of a fleet. */
    maintenance: async (fleetId: string, token?: string) =>
      post('/api/maintenance-windows', { target_kind: 'fleet', target_id: fleetId, hours: 1, reason: 'a test' }, token),
    /** Of a release and a fleet. */
    plan: async (wish: { release_id: string; target_id: string }, token?: string) =>
      post('/api/deployment-plans', { kind: 'release', target_kind: 'fleet', ...wish }, token),
    /** An order with its own key. */
    deployment: async (wish: object, token?: string) =>
      post('config_id' in wish ? '/api/configs/deployments' : '/api/deployments', wish, token, {
        'Idempotency-Key': randomUUID(),
      }),
    /** Another org, approved, with its token. */
    org: async (name = 'Other'): Promise<{ id: string; token: string }> => {
      const org = await post('/api/admin/orgs', { name }, world.adminToken);
      const { token } = await post(`/api/admin/orgs/${org.id}/approve`, undefined, world.adminToken);
      return { id: org.id, token };
    },
  };
  return made;
}
