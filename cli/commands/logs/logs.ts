import { apiOf, clientOf, withoutRetries, type Api, type LogRecord, type Reply } from '../../api/api.ts';
import { usage } from '../../command-line/errors.ts';
import { answeredFieldsHelp, formatOf } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { printList } from '../lists.ts';
import { followLogs, type Followed, type MemberList, type Members } from './logs-follow.ts';
import { filterOf, maxPageRecords, refuseBounds, tailOf, usualRecords } from './logs-flags.ts';
import { recordView, robotIn } from './logs-view.ts';
import { idOf } from '../../api/names.ts';
import { nameLookup, type NameLookup } from '../name-lookup.ts';
import type { PageQuery } from '../pages.ts';

/** Records per robot when several are followed: the screen is for new ones. */
const usualRecordsOfMany = 10;

export async function robotLogs(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, recordView())) return;
  const { args, flags } = call;
  const [robot = ''] = args;
  if (flags.on('follow')) return followRobots(call);
  if (args.length > 1) throw usage('several robots require --follow', 'Add --follow, or name one robot');
  const tail = tailOf(call);
  const filter = { ...filterOf(call), after: flags.integer('after') };
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', robot);
  await printRecords(
    call,
    tail,
    (page) => api.get('/api/robots/{id}/logs', { path: { id }, query: { ...filter, ...page } }),
    filter.after !== undefined,
  );
}

async function followRobots(call: Invocation): Promise<void> {
  refuseBounds(call);
  const api = await apiOf(call);
  const robots = await Promise.all(call.args.map(async (name) => ({ id: await idOf(api, 'robot', name), name })));
  const each = [...new Map(robots.map((robot) => [robot.id, robot])).values()];
  await follow(call, api, each);
}

async function followFleet(call: Invocation): Promise<void> {
  refuseBounds(call);
  const api = await apiOf(call);
  await followMembers(call, api, { fleet_id: await idOf(api, 'fleet', call.args[0] ?? '') });
}

/** Follows the robots of a fleet or site, and those that join it. */
export async function followMembers(
  call: Invocation,
  api: Api,
  group: { fleet_id?: string | undefined; site_id?: string | undefined },
): Promise<void> {
  const membersFrom = async (source: Api): Promise<MemberList> => {
    const { body, date } = await source.get('/api/robots', { query: group });
    const robots = body.items.map((robot) => ({ id: robot.id, name: robot.name }));
    return { robots, at: date === undefined ? new Date() : new Date(date) };
  };
  const asking = clientOf(withoutRetries(call), api.connection);
  const kind = group.fleet_id === undefined ? 'site' : 'fleet';
  const { robots, at } = await membersFrom(api);
  await follow(call, api, robots, { kind, group, at, now: () => membersFrom(asking) });
}

export async function follow(
  call: Invocation,
  api: Api,
  robots: readonly Followed[],
  members?: Members,
): Promise<void> {
  const { level, source, q, since } = filterOf(call);
  const isOfMany = robots.length > 1 || members !== undefined;
  const usual = isOfMany ? usualRecordsOfMany : usualRecords;
  const tail = call.flags.integer('tail') ?? (since === undefined ? usual : undefined);
  await followLogs(call, api, {
    robots,
    members,
    filter: { level, source, q },
    start: { since, tail },
  });
}

export async function fleetLogs(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, recordView(new Map()))) return;
  if (call.flags.on('follow')) return followFleet(call);
  const tail = tailOf(call);
  const filter = filterOf(call);
  const api = await apiOf(call);
  const id = await idOf(api, 'fleet', call.args[0] ?? '');
  await printRecords(
    call,
    tail,
    (page) => api.get('/api/fleets/{id}/logs', { path: { id }, query: { ...filter, ...page } }),
    false,
    nameLookup(api),
  );
}

type Ask = (page: PageQuery) => Promise<Reply<{ items: LogRecord[]; next_cursor?: string }>>;

async function printRecords(
  call: Invocation,
  tail: number | undefined,
  ask: Ask,
  forwards: boolean,
  names?: NameLookup,
): Promise<void> {
  const isRaw = formatOf(call) === 'raw';
  await printList(call, {
    what: 'records',
    whenEmpty:
      'No stored record matches. Agents send logs with: cli agent run --journal, --log-file <file> or --exec <command>. Status of a robot: cli robots inspect <robot>',
    ask(page) {
      const query = { ...page, ...(tail !== undefined && { limit: tail }) };
      return isRaw ? ask(query) : askOn(ask, query, forwards);
    },
    view: () => recordView(names),
    ...(names && { names: (records: readonly LogRecord[]) => names.load(records.map(robotIn)) }),
    key: 'seq',
    isLog: true,
  });
}

/** Requests pages until the wanted number is reached: the service ends a page early if it would scan too much. */
async function askOn(ask: Ask, page: PageQuery, forwards: boolean): ReturnType<Ask> {
  const wanted = page.limit ?? usualRecords;
  const pageOf = (left: number) => Math.min(maxPageRecords, left);
  let reply = await ask({ ...page, ...(page.limit !== undefined && { limit: pageOf(page.limit) }) });
  let items = reply.body.items;
  for (let cursor = reply.body.next_cursor; cursor !== undefined && items.length < wanted;) {
    reply = await ask({ limit: pageOf(wanted - items.length), cursor });
    items = forwards ? [...items, ...reply.body.items] : [...reply.body.items, ...items];
    cursor = reply.body.next_cursor;
  }
  return { ...reply, body: { ...reply.body, items } };
}
