import { apiOf, type Api, type HealthStatus, type Robot, type RobotUpdate } from '../../api/api.ts';
import type { Tone } from '../../command-line/colour.ts';
import { usage } from '../../command-line/errors.ts';
import { safeText } from '../../output/safe.ts';
import { answeredFieldsHelp, isForPeople, nameColumn, needsNames, type Column, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { pinText } from '../../output/pin-text.ts';
import { relativeTime } from '../../output/time.ts';
import { idOf } from '../../api/names.ts';
import { ruleOf } from '../conditions.ts';
import { releaseOf } from '../deployments/deploy-release.ts';
import { nameLookup, namesOf, noNames, type Names } from '../name-lookup.ts';
import { printList } from '../lists.ts';
import { confirmEffect } from '../effects/effect.ts';
import { referencesIn, retirement } from './retirement.ts';
import { printObject } from '../shared.ts';

const view = (names: Names = noNames): View<Robot> => ({
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
    { field: 'health_status', header: 'HEALTH', shown: 'table', late: true, text: healthText, tone: healthTone },
    {
      field: 'fleet_id',
      header: 'FLEET',
      shown: 'table',
      dropped: 5,
      text: (robot) => names.get(robot.fleet_id) ?? robot.fleet_id,
    },
    {
      field: 'site_id',
      header: 'SITE',
      shown: 'table',
      dropped: 3,
      text: (robot) => names.get(robot.site_id) ?? robot.site_id,
    },
    {
      field: 'reported',
      header: 'RELEASE',
      shown: 'table',
      dropped: 4,
      text: newestTag,
      tone: (robot) => (hasDrifted(reportedOf(robot).releases) ? 'bad' : undefined),
    },
    {
      field: 'labels',
      shown: 'table',
      dropped: 2,
      text: labelsOf,
    },
    { field: 'created_at', header: 'ENROLLED', shown: 'table', time: true, dropped: 1 },
    { field: 'last_seen_at', header: 'SEEN', shown: 'table', time: true },
    { field: 'pin', header: 'PINNED', shown: 'asked', text: ({ pin }) => (pin ? pinText(pin) : '') },
    { field: 'duplicate_agent_at', header: 'TWO AGENTS', shown: 'asked', time: true },
    { field: 'timezone', shown: 'asked' },
    { field: 'org_id', header: 'ORG', shown: 'asked' },
    ...retirement('asked', names),
    nameColumn('fleet_name', (robot) => names.get(robot.fleet_id)),
    nameColumn('site_name', (robot) => names.get(robot.site_id)),
  ],
  name: (robot) => robot.name,
});

type Health = Partial<Pick<Robot, 'health_status' | 'conditions' | 'maintenance'>>;

/** `unhealthy: estop, disk-full`. A service older than conditions omits it. */
function healthText({ health_status: status = '', conditions = [], maintenance }: Health): string {
  const names = conditions.map(({ name }) => name).join(', ');
  if (maintenance) return names === '' ? 'maintenance' : `maintenance: ${names}`;
  return names === '' ? status : `${status}: ${names}`;
}

export function healthTone({ health_status: status, maintenance }: Health): Tone {
  if (maintenance) return 'quiet';
  return status === undefined ? 'quiet' : (tones[status] ?? 'quiet');
}

const tones: Partial<Record<string, Tone>> = { unhealthy: 'bad', degraded: 'warn', healthy: 'good' };

type Presence = Pick<Robot, 'online' | 'last_seen_at' | 'duplicate_agent_at' | 'retired_at'>;

/** `line=2 shift=night`. */
export const labelsOf = ({ labels }: Pick<Robot, 'labels'>) =>
  Object.entries(labels)
    .map((pair) => pair.join('='))
    .join(' ');

/** Two agents with one identity keep disconnecting each other; the status shows it. */
export function statusOf({ online, last_seen_at: seen, duplicate_agent_at: duplicate, retired_at: retired }: Presence) {
  if (retired !== undefined) return 'retired';
  const presence = online ? 'online' : seen === undefined ? 'never seen' : 'offline';
  return duplicate === undefined ? presence : `${presence}, two agents`;
}

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
const oneView = (names?: Names): View<Robot> =>
  withColumns(names, ['id', 'timezone', 'pin', 'retired_at', 'replaced_by', 'replaces']);

const retiredView = (names?: Names): View<Robot> => withColumns(names, ['retired_at', 'replaced_by']);

/** The view with further columns in its table. */
function withColumns(names: Names | undefined, added: readonly (keyof Robot)[]): View<Robot> {
  const { columns, name } = view(names);
  const isAdded = ({ field }: Column<Robot>) => added.some((each) => each === field);
  return { columns: columns.map((column) => (isAdded(column) ? { ...column, shown: 'table' } : column)), name };
}

export async function listRobots(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const [site, fleet] = [call.flags.text('site'), call.flags.text('fleet')];
  const siteId = site === undefined ? undefined : await idOf(api, 'site', site);
  const fleetId = fleet === undefined ? undefined : await idOf(api, 'fleet', fleet, siteId);
  const [release, condition] = [call.flags.text('release'), call.flags.text('condition')];
  const [isRetired, isPinned] = [call.flags.on('retired'), call.flags.on('pinned')];
  const filter = {
    name: call.flags.text('name'),
    site_id: siteId,
    fleet_id: fleetId,
    health_status: call.flags.text('health') as HealthStatus | undefined, // one of its choices
    condition: condition === undefined ? undefined : (await ruleOf(api, condition)).id,
    label: call.flags.text('label'),
    release_id: release === undefined ? undefined : (await releaseOf(call, api, release, undefined)).id,
    q: call.flags.text('search'),
    ...(isPinned && { pinned: true }),
    ...(isRetired && { retired: true }),
  };
  const names = nameLookup(api);
  await printList(call, {
    what: `${isRetired ? 'retired ' : ''}${isPinned ? 'pinned ' : ''}robots`,
    whenEmpty: isRetired
      ? 'A machine that enrolls with `cli agent run --fresh` retires the robot that it was.'
      : isPinned
        ? 'Pin one: cli robots pin <robot> --until <time> --reason <text>'
        : 'Enroll one: cli keys new --site <site> --fleet <fleet>',
    ask: (page) => api.get('/api/robots', { query: { ...page, ...filter } }),
    view: () => (isRetired ? retiredView(names) : view(names)),
    names: (robots) => names.load(robots.flatMap(referencesIn)),
    sortedBy: (robot) => robot.name,
    key: 'id',
    summary: countOf,
  });
}

function countOf(robots: readonly Robot[]): string {
  const online = robots.filter((robot) => robot.online).length;
  const ill = (['unhealthy', 'degraded'] as const).flatMap((status) => {
    const count = robots.filter((robot) => robot.health_status === status).length;
    return count === 0 ? [] : [` · ${count} ${status}`];
  });
  return `${robots.length} robot${robots.length === 1 ? '' : 's'} · ${online} online${ill.join('')}`;
}

export async function showRobot(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const [robot = ''] = call.args;
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', robot);
  const reply = await api.get('/api/robots/{id}', { path: { id } });
  const names = needsNames(call, oneView()) ? await namesOf(api, referencesIn(reply.body.data)) : noNames;
  await printObject(call, reply, oneView(names));
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
  await confirmEffect(call, async () => {
    const { data } = (await api.get('/api/robots/{id}', { path: { id } })).body;
    return {
      title: `Remove robot ${data.name}`,
      facts: [
        [
          'Status',
          data.online ? 'online' : `offline${data.last_seen_at ? `, seen ${relativeTime(data.last_seen_at)}` : ''}`,
        ],
        ['Running', newestTag(data) || undefined],
        ['Effect', 'its token is refused; to come back, it enrolls with a key'],
      ],
    };
  });
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
