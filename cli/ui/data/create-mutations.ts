import type { Api, Whoami } from '../../api/api.ts';
import type { LiveData } from './create-data.ts';
import type { Config, Resource } from './data.ts';
import { CliError } from '../../command-line/errors.ts';
import { deploymentMutations } from './deployment-mutations.ts';
import type { Mutations, RolloutChoice, Target } from './mutations.ts';
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

const targetOf = (target: Target) =>
  target.kind === 'selector'
    ? {
        target_kind: target.kind,
        target_selector: target.selector,
        ...(target.dynamicUntil !== undefined && { dynamic: true, dynamic_until: target.dynamicUntil }),
      }
    : { target_kind: target.kind, target_id: target.id };

const rolloutOf = ({ policyId, isUrgent, ignoresWindows }: RolloutChoice) => ({
  ...(policyId !== undefined && { rollout_policy_id: policyId }),
  ...(isUrgent && { urgent: isUrgent }),
  ...(ignoresWindows && { ignore_windows: ignoresWindows }),
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
    ...deploymentMutations({ act, data }),
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
      const change = { path: { id }, body: { name } };
      if (kind === 'site') await act((api) => api.patch('/api/sites/{id}', change), data.sites);
      else await act((api) => api.patch('/api/fleets/{id}', change), data.fleets);
    },
    async deletePlace(kind, id) {
      const path = { id };
      const places = [data.sites, data.fleets, data.keys];
      if (kind === 'site') await act((api) => api.delete('/api/sites/{id}', { path }), ...places);
      else await act((api) => api.delete('/api/fleets/{id}', { path }), ...places);
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
