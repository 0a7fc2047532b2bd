import { encodeCursor } from '../../../../src/kernel/page.ts';
import { openDeployment, wholeFleet } from './history-tables.ts';
import { idOf } from './rows.ts';

/** Where a page in the middle of a list begins. */
export interface Middle {
  robots: number;
  createdAt: Date; // of the robot in the middle
}

const query = (path: string, filters: readonly string[]) => filters.map((filter) => `${path}?limit=50${filter}`);
const everyList = ['', `&id=${idOf('robot', 7)},${idOf('robot', 8)}`, '&id_end=00007'];

/** Requests of every list and look-up of the contract, with each filter, with pages from the start and the middle. */
export function requests({ robots, createdAt }: Middle): string[] {
  const deep = `&cursor=${encodeCursor({ createdAt, id: idOf('robot', robots / 2) })}`;
  const deepId = `&cursor=${encodeCursor({ key: idOf('robot', robots / 2) })}`;
  const robot = `/api/robots/${idOf('robot', 8)}`;
  const [fleet, smallFleet, site] = [idOf('fleet', 1), idOf('fleet', 5), idOf('site', 1)];
  const since = `&since=${new Date(Date.now() - 86_400_000).toISOString()}`;
  const robotFilters = [
    ...['health_status=unhealthy', 'health_status=degraded', 'health_status=unknown', 'health_status=healthy'],
    ...[
      'condition=emergency-stop',
      'condition=nonsense',
      'pinned=true',
      'pinned=false',
      'retired=true',
      'retired=false',
    ],
    ...[
      'label=floor%3D1',
      'label=tier%3Dcanary',
      'label=serial%3D77',
      'label=floor%3D9',
      'label=floor!%3D1',
      'label=tier',
      'label=!tier',
    ],
    ...['label=floor+in+(1,2),tier%3Dcanary', `label=%40fleet%3D${smallFleet}`, `label=%40site%3D${site},floor%3D1`],
    ...['label=%40release%3Dnav-1', 'label=%40condition%3Demergency-stop', 'label=%40capability%3Dorders'],
    ...[`release_id=${idOf('release', 1)}`, `release_id=${idOf('release', 3)}`, `release_id=${idOf('release', 9)}`],
    ...[
      'q=amr',
      `q=amr-${robots - 1}`,
      'q=nonsense',
      'name=amr-77',
      `fleet_id=${fleet}`,
      `fleet_id=${smallFleet}`,
      `site_id=${site}`,
    ],
    ...[
      `health_status=unhealthy&label=floor%3D1&fleet_id=${fleet}`,
      `q=77&fleet_id=${smallFleet}`,
      `label=floor%3D1&site_id=${site}`,
    ],
    ...[
      `health_status=unknown&fleet_id=${smallFleet}`,
      `health_status=unknown&site_id=${site}`,
      `health_status=healthy&fleet_id=${smallFleet}`,
    ],
  ];
  const orders = (path: string, own: string) => [
    ...query(path, [...everyList, '&order=desc', deep, `&order=desc${deep}`]),
    ...query(path, [
      ...['applied', 'failed', 'in_progress', 'scheduled'].map((status) => `&status=${status}`),
      own,
      `&order=desc&status=failed${deep}`,
    ]),
    ...query(path, [
      `&target_id=${idOf('robot', 21)}`,
      `&target_id=${fleet}`,
      '&target_selector=serial%3D77',
      '&waiting_on=approval',
    ]),
    ...query(path, [
      `&rollback_of=${idOf('deployment', 5)}`,
      `&retry_of=${idOf('deployment', 8)}`,
      '&cause_kind=rollback',
      '&cause_kind=retry',
    ]),
  ];
  const order = (path: string, n: number) => [
    ...['', '/retry', '/approvals', '/events', '/events?after=0&limit=100'].map(
      (part) => `${path}/${idOf('deployment', n)}${part}`,
    ),
    ...query(`${path}/${idOf('deployment', n)}/targets`, [
      '',
      deepId,
      '&status=failed',
      '&status=waiting',
      `&status=applied${deepId}`,
      `&robot_id=${idOf('robot', 21)}`,
    ]),
  ];
  const logs = ['', '&level=warn', '&source=nav', '&q=line', `&q=line+77`, since, `&level=error${since}`];
  return [
    ...query('/api/robots', [...everyList, ...robotFilters.map((filter) => `&${filter}`), deep]),
    ...query(
      '/api/robots',
      robotFilters.map((filter) => `&${filter}${deep}`),
    ),
    ...['', '/pin', '/health', '/metrics', '/timeline', '/timeline?after=10', '/timeline?kind=connected'].map(
      (part) => `${robot}${part}`,
    ),
    ...logs.map((filter) => `${robot}/logs?limit=50${filter}`),
    ...logs.map((filter) => `/api/fleets/${smallFleet}/logs?limit=50${filter}`),
    ...query('/api/logs', [
      ...logs,
      `&fleet_id=${smallFleet}`,
      `&site_id=${site}`,
      `&robot_id=${idOf('robot', 21)}`,
      '&order=asc',
    ]),
    ...['', `?fleet_id=${smallFleet}`, `?robot_id=${idOf('robot', 21)}`].map((filter) => `/api/log-stats${filter}`),
    ...query('/api/robot-metrics', ['', deep, `&fleet_id=${smallFleet}`, `&site_id=${site}`]),
    ...query('/api/tokens', [
      ...everyList,
      deep,
      `&robot_id=${idOf('robot', 21)}`,
      `&user_id=${idOf('user', 7)}`,
      '&kind=robot',
      '&kind=org',
      '&kind=user',
    ]),
    ...query('/api/users', [...everyList, deep, '&email=user-77@example.com']),
    ...query('/api/sites', [...everyList, deep, '&name=site+7']),
    ...query('/api/fleets', [...everyList, deep, '&name=fleet+7', `&site_id=${site}`]),
    ...query('/api/enrollment-keys', [...everyList, deep, `&site_id=${site}`, `&fleet_id=${smallFleet}`]),
    ...query('/api/maintenance-windows', [...everyList, deep, '&active=true', '&active=false']),
    ...query('/api/shell-sessions', [...everyList, deep, `&robot_id=${idOf('robot', 21)}`]),
    ...query('/api/releases', [
      ...everyList,
      deep,
      '&order=desc',
      '&tag=nav-77',
      '&kind=file',
      '&archived=true',
      '&archived=false',
    ]),
    ...query('/api/configs', [...everyList, deep, '&namespace=ns-7', '&key=key-77', '&deleted=true']),
    ...query('/api/config-revisions', [`&config_id=${idOf('config', 7)}`]),
    ...['condition-rules', 'rollout-policies', 'disruption-budgets', 'log-redactions'].flatMap((path) =>
      query(`/api/${path}`, everyList),
    ),
    ...query('/api/audit', [
      '',
      '&operation=createSite',
      '&operation=nonsense',
      '&actor_id=actor-7',
      `&object_id=${idOf('robot', 21)}`,
      '&after=1500',
    ]),
    ...[
      `/api/sites/${site}`,
      `/api/fleets/${fleet}`,
      '/api/whoami',
      '/api/org',
      '/api/deployment-freeze',
      '/api/health-history',
    ],
    ...orders('/api/deployments', `&release_id=${idOf('release', 4)}`),
    ...orders('/api/configs/deployments', `&config_id=${idOf('config', 4)}`),
    ...[wholeFleet, openDeployment, 21].flatMap((n) => order('/api/deployments', n)),
    // Not of the deployment to all: it takes longer than a statement may, as it looks at each robot.
    `/api/deployments/${idOf('deployment', openDeployment)}/rollback`,
    `/api/configs/deployments/${idOf('deployment', 22)}/rollback`,
    ...order('/api/configs/deployments', 22),
    ...query(`/api/deployment-plans/${idOf('plan', 1)}/robots`, ['', deepId, '&wave=2']),
  ];
}
