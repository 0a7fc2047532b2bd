import { apiOf, type Api, type Robot, type RobotUpdate } from '../../api/api.ts';
import { usage } from '../../command-line/errors.ts';
import { safeText } from '../../output/safe.ts';
import { answeredFieldsHelp, isForPeople, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { idOf } from '../../api/names.ts';
import { noPlaces, placesOf, type Places } from '../site-and-fleet-names.ts';
import { printList } from '../lists.ts';
import { printObject } from '../shared.ts';

const view = ({ sites, fleets }: Places = noPlaces): View<Robot> => ({
  columns: [
    { field: 'id', shown: 'wide' },
    { field: 'name', shown: 'table' },
    {
      field: 'online',
      header: 'STATUS',
      shown: 'table',
      text: statusOf,
      tone: statusTone,
    },
    {
      field: 'fleet_id',
      header: 'FLEET',
      shown: 'table',
      text: (robot) => fleets.get(robot.fleet_id) ?? robot.fleet_id,
    },
    {
      field: 'site_id',
      header: 'SITE',
      shown: 'table',
      dropped: 3,
      text: (robot) => sites.get(robot.site_id) ?? robot.site_id,
    },
    {
      field: 'reported',
      header: 'RELEASE',
      shown: 'table',
      text: newestTag,
      tone: (robot) => (hasDrifted(reportedOf(robot).releases) ? 'bad' : undefined),
    },
    {
      field: 'labels',
      shown: 'table',
      dropped: 2,
      text: ({ labels }) =>
        Object.entries(labels)
          .map((pair) => pair.join('='))
          .join(' '),
    },
    { field: 'created_at', header: 'ENROLLED', shown: 'table', time: true, dropped: 1 },
    { field: 'last_seen_at', header: 'SEEN', shown: 'table', time: true },
    { field: 'duplicate_agent_at', header: 'TWO AGENTS', shown: 'asked', time: true },
    { field: 'org_id', header: 'ORG', shown: 'asked' },
  ],
  name: (robot) => robot.name,
});

type Presence = Pick<Robot, 'online' | 'last_seen_at' | 'duplicate_agent_at'>;

/** Two agents with one identity keep disconnecting each other; the status shows it. */
export const statusOf = ({ online, last_seen_at: seen, duplicate_agent_at: duplicate }: Presence) =>
  `${online ? 'online' : seen === undefined ? 'never seen' : 'offline'}${duplicate === undefined ? '' : ', two agents'}`;

export const statusTone = ({ online, duplicate_agent_at: duplicate }: Pick<Robot, 'online' | 'duplicate_agent_at'>) =>
  duplicate !== undefined ? 'warn' : online ? 'good' : 'quiet';

/** The releases and configs that the robot proved. A service older than deployments omits them. */
export const reportedOf = ({ reported }: Partial<Pick<Robot, 'reported'>>): Robot['reported'] =>
  reported ?? { releases: {}, configs: {} };

/** Whether the robot runs something other than one of its proved releases. */
export const hasDrifted = (releases: Robot['reported']['releases']) =>
  Object.values(releases).some(({ drift }) => drift !== undefined);

/** The most recently proved release; which of several is the main one is not recorded. */
function newestTag(robot: Robot): string {
  const newestFirst = Object.values(reportedOf(robot).releases).sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const drifted = hasDrifted(reportedOf(robot).releases) ? ', drifted' : '';
  return newestFirst[0] ? `${newestFirst[0].tag}${drifted}` : '';
}

/** A single robot is shown with its id, which other commands take next. */
const oneView = (places?: Places): View<Robot> => {
  const { columns, name } = view(places);
  return { columns: columns.map((column) => (column.field === 'id' ? { ...column, shown: 'table' } : column)), name };
};

export async function listRobots(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const [site, fleet] = [call.flags.text('site'), call.flags.text('fleet')];
  const siteId = site === undefined ? undefined : await idOf(api, 'site', site);
  const fleetId = fleet === undefined ? undefined : await idOf(api, 'fleet', fleet, siteId);
  const filter = { name: call.flags.text('name'), site_id: siteId, fleet_id: fleetId };
  await printList(call, {
    what: 'robots',
    whenEmpty: 'Enroll one: cli keys new --site <site> --fleet <fleet>',
    ask: (page) => api.get('/api/robots', { query: { ...page, ...filter } }),
    view: async () => view(isForPeople(call) ? await placesOf(api, ['sites', 'fleets']) : noPlaces),
    key: 'id',
    summary: countOf,
  });
}

function countOf(robots: readonly Robot[]): string {
  const online = robots.filter((robot) => robot.online).length;
  return `${robots.length} robot${robots.length === 1 ? '' : 's'} · ${online} online`;
}

export async function showRobot(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const [robot = ''] = call.args;
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', robot);
  const [reply, places] = await Promise.all([
    api.get('/api/robots/{id}', { path: { id } }),
    isForPeople(call) ? placesOf(api, ['sites', 'fleets']) : noPlaces,
  ]);
  await printObject(call, reply, oneView(places));
}

export async function renameRobot(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const [robot = '', name = ''] = call.args;
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', robot);
  await printObject(call, await api.patch('/api/robots/{id}', { path: { id }, body: { name } }), oneView(), 'Renamed.');
}

/** Maximum number of listed deployments that a move created. */
const maxListedDeployments = 10;

/** All deployments that the service created because this robot moved. */
async function deploymentsByMove(api: Api, id: string): Promise<{ id: string; what: string }[]> {
  const query = { target_id: id, cause_kind: 'moved' };
  const [releases, configs] = await Promise.all([
    api.get('/api/deployments', { query }),
    api.get('/api/configs/deployments', { query }),
  ]);
  return [
    ...releases.body.items.map((deployment) => ({ id: deployment.id, what: `release ${deployment.release_id}` })),
    ...configs.body.items.map((deployment) => ({
      id: deployment.id,
      what: `config ${deployment.namespace}/${deployment.key}`,
    })),
  ];
}

export async function moveRobot(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const [robot = '', fleet = ''] = call.args;
  const api = await apiOf(call);
  const [id, fleetId] = await Promise.all([idOf(api, 'robot', robot), idOf(api, 'fleet', fleet)]);
  // Read only to report the move's effect; the move takes effect whether or not this succeeds.
  const before = isForPeople(call) ? await deploymentsByMove(api, id).catch(() => undefined) : undefined;
  const reply = await api.patch('/api/robots/{id}', { path: { id }, body: { fleet_id: fleetId } });
  await printObject(call, reply, oneView(), 'Moved.');
  if (!before) return;
  const known = new Set(before.map((deployment) => deployment.id));
  const made = (await deploymentsByMove(api, id).catch(() => [])).filter((deployment) => !known.has(deployment.id));
  if (made.length === 0) return;
  call.io.aside('It is ordered what its fleet has and it lacked:');
  for (const deployment of made.slice(0, maxListedDeployments))
    call.io.aside(safeText(`  ${deployment.id}  ${deployment.what}`));
  if (made.length > maxListedDeployments) call.io.aside(`  and ${made.length - maxListedDeployments} more`);
}

export async function labelRobot(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const [robot = '', ...changes] = call.args;
  const change = changes.map(labelChange);
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', robot);
  const { body } = await api.get('/api/robots/{id}', { path: { id } });
  // The API replaces the labels as a whole.
  const labels: NonNullable<RobotUpdate['labels']> = { ...body.data.labels };
  for (const [name, value] of change) {
    if (value === undefined) Reflect.deleteProperty(labels, name);
    else labels[name] = value;
  }
  await printObject(
    call,
    await api.patch('/api/robots/{id}', { path: { id }, body: { labels } }),
    oneView(),
    'Labelled.',
  );
}

export async function removeRobot(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const [robot = ''] = call.args;
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', robot);
  await printObject(
    call,
    await api.delete('/api/robots/{id}', { path: { id } }),
    oneView(),
    'Removed. Its token is refused from now on.',
  );
}

/** `name=value` sets, `name-` removes. */
function labelChange(text: string): [name: string, value: string | undefined] {
  const equals = text.indexOf('=');
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
  if (equals === -1 && /^.+-$/.test(text)) return [text.slice(0, -1), undefined];
  throw usage(`"${text}" is not name=value or name-`, 'Show usage with: cli help robots label');
}
