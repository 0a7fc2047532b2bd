import type {
  AnyDeployment,
  Api,
  ConfigDeployment,
  Deployment,
  DeploymentEvent,
  DeploymentTarget,
  Reply,
} from '../../api/api.ts';
import type { PageQuery } from '../pages.ts';

interface EventQuery {
  after?: number | undefined;
  limit?: number | undefined;
}

type TargetQuery = PageQuery & { status?: string | undefined; robot_id?: string | undefined };

/** Deployments of releases or of configs: one engine with the same operations, under different URLs and commands. */
export interface DeploymentOperations<D extends AnyDeployment = AnyDeployment> {
  /** Commands for one deployment, without its id. */
  commands: { show: string; watch: string; cancel: string; targets: string; events: string };
  get(api: Api, id: string): Promise<Reply<{ data: D }>>;
  cancel(api: Api, id: string): Promise<Reply<{ data: D }>>;
  events(api: Api, id: string, query: EventQuery): Promise<Reply<{ items: DeploymentEvent[] }>>;
  targets(
    api: Api,
    id: string,
    query: TargetQuery,
  ): Promise<Reply<{ items: DeploymentTarget[]; next_cursor?: string }>>;
}

const commands = (group: string, show: string): DeploymentOperations['commands'] => ({
  show: `cli ${group} ${show}`,
  watch: `cli ${group} watch`,
  cancel: `cli ${group} cancel`,
  targets: `cli ${group} targets`,
  events: `cli ${group} events`,
});

export const releaseDeployments: DeploymentOperations<Deployment> = {
  commands: commands('deployments', 'show'),
  get: (api, id) => api.get('/api/deployments/{id}', { path: { id } }),
  cancel: (api, id) => api.post('/api/deployments/{id}/cancel', { path: { id } }),
  events: (api, id, query) => api.get('/api/deployments/{id}/events', { path: { id }, query }),
  targets: (api, id, query) => api.get('/api/deployments/{id}/targets', { path: { id }, query }),
};

export const configDeployments: DeploymentOperations<ConfigDeployment> = {
  commands: commands('configs', 'deployment'),
  get: (api, id) => api.get('/api/configs/deployments/{id}', { path: { id } }),
  cancel: (api, id) => api.post('/api/configs/deployments/{id}/cancel', { path: { id } }),
  events: (api, id, query) => api.get('/api/configs/deployments/{id}/events', { path: { id }, query }),
  targets: (api, id, query) => api.get('/api/configs/deployments/{id}/targets', { path: { id }, query }),
};
