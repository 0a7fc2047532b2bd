import { apiOf, type LogRecord } from '../../api/api.ts';
import { usage } from '../../command-line/errors.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { safeCell } from '../../output/safe.ts';
import { statusLine } from '../../output/status-line.ts';
import { localMinute } from '../../output/time.ts';
import { answeredFieldsHelp, formatOf } from '../../output/view.ts';
import { printList } from '../lists.ts';
import { nameLookup } from '../name-lookup.ts';
import type { PageQuery } from '../pages.ts';
import { follow, followMembers } from './logs.ts';
import { filterOf, maxPageRecords, refuseBounds, tailOf, usualRecords } from './logs-flags.ts';
import { scopeOf } from './logs-scope.ts';
import { logStats } from './logs-stats.ts';
import { recordView, robotIn } from './logs-view.ts';

/**
 * Searches the logs of the org, or of a fleet, site or robot. With `--order` records are printed as they are found.
 * Without it, the latest ones are collected first and printed as `fleets logs` prints them; Ctrl-C prints those found so
 * far.
 */
export async function searchLogs(call: Invocation): Promise<void> {
  if (call.flags.on('stats')) return logStats(call);
  const counting = ['by', 'step'].find((name) => call.flags.isGiven(name));
  if (counting !== undefined) throw usage(`--${counting} requires --stats`, `Add --stats, or omit --${counting}`);
  if (answeredFieldsHelp(call, recordView(new Map()))) return;
  const { flags } = call;
  if (flags.on('follow')) return followScope(call);
  const tail = tailOf(call);
  const filter = filterOf(call);
  const api = await apiOf(call);
  const scope = await scopeOf(call, api);
  // The parser accepts only these values.
  const order = flags.text('order') as 'asc' | 'desc' | undefined;
  const names = nameLookup(api);
  const progress = progressLine(call, order === 'asc' ? 'up to' : 'back to');

  async function ask(page: PageQuery) {
    const reply = await api.get('/api/logs', { query: { ...scope, ...filter, order, ...page } });
    progress.at(reply.body);
    return reply;
  }

  const isRaw = formatOf(call) === 'raw';
  const wanted = tail ?? usualRecords;
  await printList(call, {
    what: 'records',
    whenEmpty:
      'No stored record matches. Agents send logs with: cli agent run --journal, --log-file <file> or --exec <command>',
    ask: (page) =>
      isRaw
        ? ask({ ...page, ...(tail !== undefined && { limit: tail }) })
        : order === undefined
          ? collect(ask, page, wanted).finally(progress.clear)
          : ask({ ...page, limit: Math.min(page.limit ?? wanted, maxPageRecords) }),
    view: () => recordView(names),
    names: (records) => names.load(records.map(robotIn)),
    key: 'seq',
    ...(isRaw || order === undefined ? { isLog: true } : { atMost: wanted }),
  });
}

type Ask = (page: PageQuery) => Promise<SearchReply>;
interface SearchReply {
  raw: Buffer;
  body: { items: LogRecord[]; next_cursor?: string; read_to?: string };
}

/** Pages until the wanted number is reached, nothing is left, or Ctrl-C; oldest first. */
async function collect(ask: Ask, page: PageQuery, wanted: number): Promise<SearchReply> {
  const state = { isStopped: false };
  const stop = () => void (state.isStopped = true);
  let reply: SearchReply | undefined;
  let items: LogRecord[] = [];
  const others = process.rawListeners('SIGINT') as NodeJS.SignalsListener[];
  process.removeAllListeners('SIGINT').once('SIGINT', stop);
  try {
    for (let cursor = page.cursor; !reply || (cursor !== undefined && items.length < wanted && !state.isStopped);) {
      const limit = Math.min(wanted - items.length, maxPageRecords);
      reply = await ask({ limit, ...(cursor !== undefined && { cursor }) });
      items = [...reply.body.items.toReversed(), ...items];
      cursor = reply.body.next_cursor;
    }
  } finally {
    process.off('SIGINT', stop);
    for (const other of others) process.on('SIGINT', other);
  }
  return { ...reply, body: { ...reply.body, items } };
}

/** How far the search has come, on a terminal, while it finds nothing or collects. */
function progressLine(call: Invocation, direction: string) {
  const status = statusLine(call);
  let found = 0;
  return {
    clear: () => status.clear(),
    at({ items, next_cursor: cursor, read_to: readTo }: SearchReply['body']): void {
      found += items.length;
      status.clear();
      const isPrinted = items.length > 0 && call.flags.isGiven('order');
      if (cursor === undefined || readTo === undefined || isPrinted) return;
      const text = `Searched ${direction} ${localMinute(readTo)}, ${found} found. Ctrl-C to stop`;
      status.show(call.io.err.paint(safeCell(text), 'quiet'));
    },
  };
}

async function followScope(call: Invocation): Promise<void> {
  refuseBounds(call);
  const robot = call.flags.text('robot');
  const isGroup = call.flags.isGiven('fleet') || call.flags.isGiven('site');
  if (robot === undefined && !isGroup)
    throw usage('--follow requires --robot, --fleet or --site', 'Name what to follow, such as --fleet <fleet>');
  if (robot !== undefined && isGroup)
    throw usage('--follow with --robot excludes --fleet and --site', 'Use --robot, or --fleet and --site');
  const api = await apiOf(call);
  const { robot_id: id, ...group } = await scopeOf(call, api);
  if (robot === undefined || id === undefined) return followMembers(call, api, group);
  await follow(call, api, [{ id, name: robot }]);
}
