import { apiOf, clientOf, withoutRetries, type Api, type LogRecord, type Reply } from '../../api/api.ts';
import { usage } from '../../command-line/errors.ts';
import { answeredFieldsHelp, formatOf, isForPeople, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { rangeOf } from '../../command-line/instant.ts';
import { printList } from '../lists.ts';
import { followLogs, type Followed } from './logs-follow.ts';
import { levelTones } from './logs-lines.ts';
import { idOf } from '../../api/names.ts';
import type { PageQuery } from '../pages.ts';

/** The service's default page size. */
const usualRecords = 200;
/** The service's maximum page size. */
const maxPageRecords = 1000;
/** Records per robot when several are followed: the screen is for new ones. */
const usualRecordsOfMany = 10;

const tone = ({ level }: LogRecord) => levelTones[level];

/**
 * `robots` has names by id; undefined for the logs of one robot. A record is one line, whatever its message contains.
 */
const view = (robots?: ReadonlyMap<string, string>): View<LogRecord> => ({
  columns: [
    // A record without a robot timestamp shows the time at which it was received.
    { field: 'ts', header: 'TIME', shown: 'table', whole: true, text: (record) => record.ts ?? record.received_at },
    {
      field: 'robot_id',
      header: 'ROBOT',
      shown: robots ? 'table' : 'asked',
      whole: true,
      text: (record) => robots?.get(record.robot_id) ?? record.robot_id,
    },
    { field: 'level', shown: 'table', whole: true, tone },
    { field: 'source', shown: 'table', whole: true, tone: () => 'quiet' },
    { field: 'message', shown: 'table', whole: true, tone },
    { field: 'seq', shown: 'wide' },
    { field: 'received_at', header: 'RECEIVED', shown: 'wide' },
    { field: 'type', shown: 'wide' },
    { field: 'unit', shown: 'wide' },
    { field: 'pid', shown: 'wide' },
    { field: 'node', shown: 'wide' },
    { field: 'dropped', shown: 'wide' },
    { field: 'reason', shown: 'wide' },
    { field: 'fields', shown: 'wide' },
    { field: 'truncated', shown: 'asked' },
    { field: 'redacted', shown: 'asked' },
  ],
  name: (record) => String(record.seq),
});

export async function robotLogs(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
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
    () => view(),
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
  const id = await idOf(api, 'fleet', call.args[0] ?? '');
  const membersFrom = async (source: Api) => {
    const { body } = await source.get('/api/robots', { query: { fleet_id: id } });
    return body.items.map((robot) => ({ id: robot.id, name: robot.name }));
  };
  const asking = clientOf(withoutRetries(call), api.connection);
  await follow(call, api, await membersFrom(api), () => membersFrom(asking));
}

async function follow(
  call: Invocation,
  api: Api,
  robots: readonly Followed[],
  membersNow?: () => Promise<readonly Followed[]>,
): Promise<void> {
  const { level, source, q, since } = filterOf(call);
  const isOfMany = robots.length > 1 || membersNow !== undefined;
  const usual = isOfMany ? usualRecordsOfMany : usualRecords;
  const tail = call.flags.integer('tail') ?? (since === undefined ? usual : undefined);
  await followLogs(call, api, {
    robots,
    membersNow,
    filter: { level, source, q },
    start: { since, tail },
    view: view(isOfMany ? new Map() : undefined),
  });
}

/** A bounded query cannot be followed. */
function refuseBounds({ flags }: Invocation): void {
  const bound = ['until', 'cursor', 'after'].find((name) => flags.has(name) && flags.isGiven(name));
  if (bound !== undefined) throw usage(`--${bound} and --follow exclude each other`, 'Use one of the two');
}

export async function fleetLogs(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view(new Map()))) return;
  if (call.flags.on('follow')) return followFleet(call);
  const tail = tailOf(call);
  const filter = filterOf(call);
  const api = await apiOf(call);
  const id = await idOf(api, 'fleet', call.args[0] ?? '');
  await printRecords(
    call,
    tail,
    (page) => api.get('/api/fleets/{id}/logs', { path: { id }, query: { ...filter, ...page } }),
    async () => view(isForPeople(call) ? await robotNames(api, id) : new Map()),
    false,
  );
}

type Ask = (page: PageQuery) => Promise<Reply<{ items: LogRecord[]; next_cursor?: string }>>;

async function printRecords(
  call: Invocation,
  tail: number | undefined,
  ask: Ask,
  viewOf: () => View<LogRecord> | Promise<View<LogRecord>>,
  forwards: boolean,
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
    view: viewOf,
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

/** How many stored records are requested. */
function tailOf(call: Invocation): number | undefined {
  const tail = call.flags.integer('tail');
  if (tail === 0) throw usage('--tail 0 requires --follow', 'Add --follow, or use --tail 1 or more');
  if (formatOf(call) === 'raw' && (tail ?? 0) > maxPageRecords)
    throw usage(
      `--json prints one response, of at most ${maxPageRecords} records`,
      `Use --tail ${maxPageRecords}, or -o jsonl`,
    );
  return tail;
}

function filterOf({ flags }: Invocation) {
  return {
    level: flags.text('level') as LogLevel | undefined,
    source: flags.text('source'),
    q: flags.text('grep'),
    ...rangeOf(flags),
  };
}

/** The parser accepts only these values. */
type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** Names for people. If the list cannot be read, the ids are shown: the logs matter more. */
async function robotNames(api: Api, fleetId: string): Promise<ReadonlyMap<string, string>> {
  try {
    const { body } = await api.get('/api/robots', { query: { fleet_id: fleetId } });
    return new Map(body.items.map(({ id, name }) => [id, name]));
  } catch {
    return new Map();
  }
}
