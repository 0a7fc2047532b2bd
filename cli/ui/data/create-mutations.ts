import type { AnyDeployment, Api, Whoami } from '../../api/api.ts';
import type { LiveData } from './create-data.ts';
import type { Config, DeploymentKind, Resource } from './data.ts';
import { CliError } from '../../command-line/errors.ts';
import type { Mutations, Target } from './mutations.ts';
import type { Failure } from './freshness.ts';
import type { Session } from './session.ts';
import { failureOf } from './failure.ts';

interface MutationsSettings {
  session: Session;
  data: LiveData;
}

/** A failure that is thrown. Its fields are own properties, so that it is shown, stored and copied like any other. */
class MutationError extends Error implements Failure {
  override readonly message: string;
  readonly code: Failure['code'];
  readonly hint: string | undefined;
  readonly requestId: string | undefined;

  constructor(cause: unknown) {
    const { message, code, hint, requestId } = failureOf(cause);
    super(message, { cause });
    this.message = message;
    this.code = code;
    this.hint = hint;
    this.requestId = requestId;
  }
}

const paths = {
  release: {
    cancel: '/api/deployments/{id}/cancel',
    pause: '/api/deployments/{id}/pause',
    resume: '/api/deployments/{id}/resume',
    advance: '/api/deployments/{id}/advance',
    skip: '/api/deployments/{id}/skip',
    waves: '/api/deployments/{id}/waves',
    rollback: '/api/deployments/{id}/rollback',
    retry: '/api/deployments/{id}/retry',
    approvals: '/api/deployments/{id}/approvals',
  },
  config: {
    cancel: '/api/configs/deployments/{id}/cancel',
    pause: '/api/configs/deployments/{id}/pause',
    resume: '/api/configs/deployments/{id}/resume',
    advance: '/api/configs/deployments/{id}/advance',
    skip: '/api/configs/deployments/{id}/skip',
    waves: '/api/configs/deployments/{id}/waves',
    rollback: '/api/configs/deployments/{id}/rollback',
    retry: '/api/configs/deployments/{id}/retry',
    approvals: '/api/configs/deployments/{id}/approvals',
  },
} as const;

const placePaths = { site: '/api/sites/{id}', fleet: '/api/fleets/{id}' } as const;

/** Rejects if the service's revision of the entry differs from the expected one. */
async function isStill(
  api: Api,
  { namespace, key, revision }: Pick<Config, 'namespace' | 'key'> & { revision: number | undefined },
): Promise<void> {
  const { items } = (await api.get('/api/configs', { query: { namespace, key } })).body;
  if (items[0]?.revision !== revision) throw changedMeanwhile(key, items[0]?.revision);
}

const changedMeanwhile = (key: string, revision: number | undefined, hint = 'Check its current state first.') =>
  new CliError(
    revision === undefined ? `${key} was removed meanwhile` : `${key} was changed meanwhile: revision ${revision}`,
    { code: 'conflict', hint },
  );

const targetOf = ({ kind, id }: Target) => ({ target_kind: kind, target_id: id });

const rolloutOf = ({ policyId, isUrgent }: { policyId?: string | undefined; isUrgent?: true | undefined }) => ({
  ...(policyId !== undefined && { rollout_policy_id: policyId }),
  ...(isUrgent && { urgent: isUrgent }),
});

/**
 * Mutations are sent whatever the connection state, as a user waits for them. Changed resources are read again
 * afterwards.
 */
export function createMutations({ session, data }: MutationsSettings): Mutations {
  async function act<T>(
    run: (api: Api) => Promise<{ body: { data: T } }>,
    ...changed: Resource<unknown>[]
  ): Promise<T> {
    try {
      const { body } = await data.monitor.call(run, { changes: true });
      return body.data;
    } catch (error) {
      throw new MutationError(error);
    } finally {
      // After a failure too: if the response was lost, the outcome is unknown.
      for (const resource of [...changed, data.activity]) resource.refresh();
    }
  }

  /** What a change of a deployment changes. */
  const changedBy = (deploymentKind: DeploymentKind, id: string): Resource<unknown>[] => [
    deploymentKind === 'release' ? data.deployments : data.configDeployments,
    data.targets(deploymentKind, id),
    data.events(deploymentKind, id),
  ];

  const changedByFreeze = [data.freeze, data.deployments, data.configDeployments];

  async function signedIn(take: () => Promise<Whoami>, onSignedIn?: (who: Whoami) => void): Promise<string> {
    try {
      const who = await take();
      data.renew(who.org.id);
      onSignedIn?.(who);
      const why = await session.keep();
      return why === undefined ? 'Signed in.' : `Signed in until you quit: ${why}.`;
    } catch (error) {
      throw new MutationError(error);
    }
  }

  return {
    deployRelease: ({ releaseId, target, scheduledAt, allowDowngrade, idempotencyKey, ...rollout }) =>
      act(
        (api) =>
          api.post('/api/deployments', {
            body: {
              release_id: releaseId,
              ...targetOf(target),
              ...(scheduledAt !== undefined && { scheduled_at: scheduledAt }),
              ...rolloutOf(rollout),
              ...(allowDowngrade && { allow_downgrade: true }),
            },
            idempotencyKey,
          }),
        data.deployments,
      ),
    async cancelDeployment(deploymentKind, id) {
      await act<AnyDeployment>(
        (api) => api.post(paths[deploymentKind].cancel, { path: { id } }),
        ...changedBy(deploymentKind, id),
      );
    },
    async controlDeployment(deploymentKind, id, { reason, ...control }) {
      const why = reason === undefined ? {} : { reason };
      await act<AnyDeployment>(
        (api) =>
          control.to === 'skip'
            ? api.post(paths[deploymentKind].skip, { path: { id }, body: { wave: control.wave, ...why } })
            : api.post(paths[deploymentKind][control.to], { path: { id }, body: why }),
        ...changedBy(deploymentKind, id),
      );
    },
    setWaves: (deploymentKind, id, body) =>
      act<AnyDeployment>(
        (api) => api.put(paths[deploymentKind].waves, { path: { id }, body }),
        ...changedBy(deploymentKind, id),
      ),
    freezeDeployments: (reason) =>
      act((api) => api.put('/api/deployment-freeze', { body: { reason } }), ...changedByFreeze),
    thawDeployments: (reason) =>
      act((api) => api.delete('/api/deployment-freeze', { query: { reason } }), ...changedByFreeze),
    async readRollback(deploymentKind, id) {
      const read = (api: Api) => api.get(paths[deploymentKind].rollback, { path: { id } });
      return (await data.monitor.call(read)).body.data;
    },
    async rollBackDeployment(deploymentKind, id, reason) {
      const body = reason === undefined ? {} : { reason };
      await act(
        (api) => api.post(paths[deploymentKind].rollback, { path: { id }, body }),
        ...changedBy(deploymentKind, id),
      );
    },
    async readRetry(deploymentKind, id, failedAs) {
      const read = (api: Api) => api.get(paths[deploymentKind].retry, { path: { id }, query: { reasons: failedAs } });
      return (await data.monitor.call(read)).body.data;
    },
    retryDeployment: (deploymentKind, id, { idempotencyKey, ...body }) =>
      act<AnyDeployment>(
        (api) => api.post(paths[deploymentKind].retry, { path: { id }, body, idempotencyKey }),
        ...changedBy(deploymentKind, id),
      ),
    readApproval: (deploymentKind, { id, plan_id: planId = '' }) =>
      data.monitor.call(async (api) => {
        const [approvals, plan] = await Promise.all([
          api.get(paths[deploymentKind].approvals, { path: { id } }),
          api.get('/api/deployment-plans/{id}', { path: { id: planId } }),
        ]);
        return { author: approvals.body.data.author?.name, plan: plan.body.data };
      }),
    async decideApproval(deploymentKind, id, body) {
      await act(
        (api) => api.post(paths[deploymentKind].approvals, { path: { id }, body }),
        ...changedBy(deploymentKind, id),
      );
    },
    setConfig: ({ namespace, key, value, before }) =>
      act(async (api) => {
        if (before !== undefined)
          await isStill(api, { namespace, key, revision: before === 'none' ? undefined : before });
        return api.post('/api/configs', { json: JSON.stringify({ namespace, key, value }) });
      }, data.configs),
    deployConfig: ({ configId, revision: wanted, target, idempotencyKey, expected, ...rollout }) =>
      act(
        async (api) => {
          if (expected) await isStill(api, expected);
          const body = {
            config_id: configId,
            ...(wanted !== undefined && { revision: wanted }),
            ...targetOf(target),
            ...rolloutOf(rollout),
          };
          const reply = await api.post('/api/configs/deployments', { body, idempotencyKey });
          const { revision } = reply.body.data;
          if (expected && revision !== expected.revision)
            throw changedMeanwhile(
              expected.key,
              revision,
              'That revision is being deployed. Press 3 to see it, and x there to cancel it.',
            );
          return reply;
        },
        data.configDeployments,
        data.configs,
      ),
    async deleteConfig(id, cancels) {
      const query = { cancel_deployments: cancels ? true : undefined };
      await act(
        (api) => api.delete('/api/configs/{id}', { path: { id }, query }),
        data.configs,
        data.configDeployments,
      );
    },
    async archiveRelease(id, archived) {
      await act((api) => api.patch('/api/releases/{id}', { path: { id }, body: { archived } }), data.releases);
    },
    createSite: (name) => act((api) => api.post('/api/sites', { body: { name } }), data.sites),
    createFleet: (name, siteId) =>
      act((api) => api.post('/api/fleets', { body: { name, site_id: siteId } }), data.fleets),
    createKey: ({ siteId, fleetId, label, maxUses, expiresInHours }) =>
      act(
        (api) =>
          api.post('/api/enrollment-keys', {
            body: {
              site_id: siteId,
              fleet_id: fleetId,
              ...(label !== undefined && { label }),
              ...(maxUses !== undefined && { max_uses: maxUses }),
              ...(expiresInHours !== undefined && { expires_in_hours: expiresInHours }),
            },
          }),
        data.keys,
      ),
    async revokeKey(id) {
      await act((api) => api.post('/api/enrollment-keys/{id}/revoke', { path: { id } }), data.keys);
    },
    async renamePlace(kind, id, name) {
      await act(
        (api) => api.patch(placePaths[kind], { path: { id }, body: { name } }),
        kind === 'site' ? data.sites : data.fleets,
      );
    },
    async deletePlace(kind, id) {
      await act((api) => api.delete(placePaths[kind], { path: { id } }), data.sites, data.fleets, data.keys);
    },
    async renameRobot(id, name) {
      await act(
        (api) => api.patch('/api/robots/{id}', { path: { id }, body: { name } }),
        data.robots,
        data.timeline(id),
      );
    },
    pinRobot: (id, { releaseId, until, reason }) =>
      act(
        (api) =>
          api.put('/api/robots/{id}/pin', {
            path: { id },
            body: { ...(releaseId !== undefined && { release_id: releaseId }), until, reason },
          }),
        data.robots,
      ),
    async unpinRobot(id) {
      await act((api) => api.delete('/api/robots/{id}/pin', { path: { id } }), data.robots);
    },
    createUser: ({ email, name, role }) =>
      act((api) => api.post('/api/users', { body: { email, role, ...(name !== '' && { name }) } }), data.users),
    async setRole(id, role) {
      await act((api) => api.patch('/api/users/{id}', { path: { id }, body: { role } }), data.users, data.whoami);
    },
    async removeUser(id) {
      await act((api) => api.delete('/api/users/{id}', { path: { id } }), data.users, data.tokens);
    },
    createToken: (id, label, expiresInHours) =>
      act(
        (api) =>
          api.post('/api/users/{id}/tokens', {
            path: { id },
            body: {
              ...(label !== '' && { label }),
              ...(expiresInHours !== undefined && { expires_in_hours: expiresInHours }),
            },
          }),
        data.tokens,
        data.users,
      ),
    async revokeToken(id) {
      await act((api) => api.post('/api/tokens/{id}/revoke', { path: { id } }), data.tokens);
    },
    signIn: (token, onSignedIn) => signedIn(() => session.signIn(token), onSignedIn),
    signInAgain: (onSignedIn) => signedIn(() => session.signInAgain(), onSignedIn),
  };
}
