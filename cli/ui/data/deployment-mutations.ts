import type { AnyDeployment, Api } from '../../api/api.ts';
import { CliError } from '../../command-line/errors.ts';
import type { LiveData } from './create-data.ts';
import type { DeploymentKind, Resource } from './data.ts';
import type { Mutations } from './mutations.ts';

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

/** Sends a change, and reads the changed resources again. */
type Act = <T>(run: (api: Api) => Promise<{ body: { data: T } }>, ...changed: Resource<unknown>[]) => Promise<T>;

/** Changes of deployments that exist, and what is read before one. */
export function deploymentMutations({ act, data }: { act: Act; data: LiveData }) {
  /** What a change of a deployment changes. */
  const changedBy = (deploymentKind: DeploymentKind, id: string): Resource<unknown>[] => [
    deploymentKind === 'release' ? data.deployments : data.configDeployments,
    data.targets(deploymentKind, id),
    data.events(deploymentKind, id),
  ];

  const changedByFreeze = [data.freeze, data.deployments, data.configDeployments];

  return {
    async readMatching(selector) {
      const read = (api: Api) => api.get('/api/robots', { query: { label: selector } });
      try {
        return (await data.monitor.call(read)).body.items;
      } catch (error) {
        if (!(error instanceof CliError) || error.code !== 'bad_request') throw error;
        throw error.with({
          message: error.message.replace(/^query\.label: /, ''),
          hint: 'Example: tier=canary,@site=Osaka',
        });
      }
    },
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
  } satisfies Partial<Mutations>;
}
