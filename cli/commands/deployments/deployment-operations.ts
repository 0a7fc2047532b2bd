import { randomUUID } from 'node:crypto';
import type {
  AnyDeployment,
  Api,
  ApprovalCreate,
  ConfigDeployment,
  Deployment,
  DeploymentApprovals,
  DeploymentEvent,
  DeploymentRetry,
  DeploymentRollback,
  DeploymentTarget,
  Reply,
  RetryCreate,
  RollbackCreate,
  WavesUpdate,
  WaveSkip,
} from '../../api/api.ts';
import { targetIn, type Names, type Reference } from '../name-lookup.ts';
import type { PageQuery } from '../pages.ts';

const newestOnly = { limit: 1, order: 'desc' } as const;

interface EventQuery {
  after?: number | undefined;
  limit?: number | undefined;
}

/** Why, for colleagues. */
interface Control {
  reason?: string;
}

type TargetQuery = PageQuery & { status?: string | undefined; robot_id?: string | undefined };

/** Deployments of releases or of configs: one engine with the same operations, under different URLs and commands. */
export interface DeploymentOperations<D extends AnyDeployment = AnyDeployment> {
  /** Commands for one deployment, without its id. */
  commands: {
    show: string;
    watch: string;
    cancel: string;
    resume: string;
    targets: string;
    events: string;
    /** Lists the deployments that retry its robots. */
    retries: string;
    /** Lists the deployments that return its robots. */
    rollbacks: string;
    create: string;
  };
  kind: 'deployment' | 'config deployment';
  /** What it deploys, for people. */
  subject(deployment: D, names: Names): string;
  /** The objects that it refers to by id. */
  references(deployment: D): readonly Reference[];
  /** Undefined if there is none yet. */
  newest(api: Api): Promise<D | undefined>;
  get(api: Api, id: string): Promise<Reply<{ data: D }>>;
  cancel(api: Api, id: string): Promise<Reply<{ data: D }>>;
  pause(api: Api, id: string, control: Control): Promise<Reply<{ data: D }>>;
  resume(api: Api, id: string, control: Control): Promise<Reply<{ data: D }>>;
  advance(api: Api, id: string, control: Control): Promise<Reply<{ data: D }>>;
  skip(api: Api, id: string, skip: WaveSkip): Promise<Reply<{ data: D }>>;
  setWaves(api: Api, id: string, change: WavesUpdate): Promise<Reply<{ data: D }>>;
  /** What a rollback does, or would do now. */
  rollback(api: Api, id: string): Promise<Reply<{ data: DeploymentRollback }>>;
  rollBack(api: Api, id: string, request: RollbackCreate): Promise<Reply<{ data: DeploymentRollback }>>;
  /** What a retry would do now. `reasons`: separated by commas; undefined: any. */
  retries(api: Api, id: string, reasons: string | undefined): Promise<Reply<{ data: DeploymentRetry }>>;
  retry(api: Api, id: string, request: RetryCreate): Promise<Reply<{ data: D }>>;
  approvals(api: Api, id: string): Promise<Reply<{ data: DeploymentApprovals }>>;
  decide(api: Api, id: string, decision: ApprovalCreate): Promise<Reply<{ data: DeploymentApprovals }>>;
  events(api: Api, id: string, query: EventQuery): Promise<Reply<{ items: DeploymentEvent[] }>>;
  targets(
    api: Api,
    id: string,
    query: TargetQuery,
  ): Promise<Reply<{ items: DeploymentTarget[]; next_cursor?: string }>>;
}

const commands = (
  group: string,
  { show, list, create }: { show: string; list: string; create: string },
): DeploymentOperations['commands'] => ({
  show: `cli ${group} ${show}`,
  watch: `cli ${group} watch`,
  cancel: `cli ${group} cancel`,
  resume: `cli ${group} resume`,
  targets: `cli ${group} targets`,
  events: `cli ${group} events`,
  retries: `cli ${group} ${list} --retry-of`,
  rollbacks: `cli ${group} ${list} --rollback-of`,
  create: `cli ${create}`,
});

export const releaseDeployments: DeploymentOperations<Deployment> = {
  commands: commands('deployments', { show: 'show', list: 'list', create: 'deploy <release> --fleet <fleet>' }),
  kind: 'deployment',
  subject: ({ release_id: id }, names) => names.get(id) ?? id,
  references: (deployment) => [['releases', deployment.release_id], targetIn(deployment)],
  newest: async (api) => (await api.get('/api/deployments', { query: newestOnly })).body.items[0],
  get: (api, id) => api.get('/api/deployments/{id}', { path: { id } }),
  cancel: (api, id) => api.post('/api/deployments/{id}/cancel', { path: { id } }),
  pause: (api, id, body) => api.post('/api/deployments/{id}/pause', { path: { id }, body }),
  resume: (api, id, body) => api.post('/api/deployments/{id}/resume', { path: { id }, body }),
  advance: (api, id, body) => api.post('/api/deployments/{id}/advance', { path: { id }, body }),
  skip: (api, id, body) => api.post('/api/deployments/{id}/skip', { path: { id }, body }),
  setWaves: (api, id, body) => api.put('/api/deployments/{id}/waves', { path: { id }, body }),
  rollback: (api, id) => api.get('/api/deployments/{id}/rollback', { path: { id } }),
  rollBack: (api, id, body) => api.post('/api/deployments/{id}/rollback', { path: { id }, body }),
  retries: (api, id, reasons) => api.get('/api/deployments/{id}/retry', { path: { id }, query: { reasons } }),
  retry: (api, id, body) =>
    api.post('/api/deployments/{id}/retry', { idempotencyKey: randomUUID(), path: { id }, body }),
  approvals: (api, id) => api.get('/api/deployments/{id}/approvals', { path: { id } }),
  decide: (api, id, body) => api.post('/api/deployments/{id}/approvals', { path: { id }, body }),
  events: (api, id, query) => api.get('/api/deployments/{id}/events', { path: { id }, query }),
  targets: (api, id, query) => api.get('/api/deployments/{id}/targets', { path: { id }, query }),
};

export const configDeployments: DeploymentOperations<ConfigDeployment> = {
  commands: commands('configs', {
    show: 'deployment',
    list: 'deployments',
    create: 'configs deploy <key> --fleet <fleet>',
  }),
  kind: 'config deployment',
  subject: ({ key, revision }) => `${key} (revision ${revision})`,
  references: (deployment) => [targetIn(deployment)],
  newest: async (api) => (await api.get('/api/configs/deployments', { query: newestOnly })).body.items[0],
  get: (api, id) => api.get('/api/configs/deployments/{id}', { path: { id } }),
  cancel: (api, id) => api.post('/api/configs/deployments/{id}/cancel', { path: { id } }),
  pause: (api, id, body) => api.post('/api/configs/deployments/{id}/pause', { path: { id }, body }),
  resume: (api, id, body) => api.post('/api/configs/deployments/{id}/resume', { path: { id }, body }),
  advance: (api, id, body) => api.post('/api/configs/deployments/{id}/advance', { path: { id }, body }),
  skip: (api, id, body) => api.post('/api/configs/deployments/{id}/skip', { path: { id }, body }),
  setWaves: (api, id, body) => api.put('/api/configs/deployments/{id}/waves', { path: { id }, body }),
  rollback: (api, id) => api.get('/api/configs/deployments/{id}/rollback', { path: { id } }),
  rollBack: (api, id, body) => api.post('/api/configs/deployments/{id}/rollback', { path: { id }, body }),
  retries: (api, id, reasons) => api.get('/api/configs/deployments/{id}/retry', { path: { id }, query: { reasons } }),
  retry: (api, id, body) =>
    api.post('/api/configs/deployments/{id}/retry', { idempotencyKey: randomUUID(), path: { id }, body }),
  approvals: (api, id) => api.get('/api/configs/deployments/{id}/approvals', { path: { id } }),
  decide: (api, id, body) => api.post('/api/configs/deployments/{id}/approvals', { path: { id }, body }),
  events: (api, id, query) => api.get('/api/configs/deployments/{id}/events', { path: { id }, query }),
  targets: (api, id, query) => api.get('/api/configs/deployments/{id}/targets', { path: { id }, query }),
};
