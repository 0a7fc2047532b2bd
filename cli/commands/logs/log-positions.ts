import type { Api, LogRecord } from '../../api/api.ts';
import { maxPageRecords, type filterOf } from './logs-flags.ts';
import type { LogScope } from './logs-scope.ts';

type Filter = Partial<Pick<ReturnType<typeof filterOf>, 'level' | 'source' | 'q' | 'since'>>;
type Query = LogScope & Filter & { order?: 'asc'; limit: number };

/** How long the stored records to start with are searched for, as in the service: those found by then are the start. */
const lookBackMs = 5_000;
/** Between the clocks of replica and database, and of a standby that lags. */
const clockMarginMs = 60_000;

/** The record after which the latest `tail` records of a robot, and all newer ones, come. */
export async function positionBeforeTail(api: Api, robotId: string, filter: Filter, tail: number): Promise<number> {
  const newest = await newestOf(api, robotId);
  if (tail === 0) return newest;
  const untilMs = performance.now() + lookBackMs;
  const latest: LogRecord[] = [];
  for await (const page of pages(api, { ...filter, robot_id: robotId, limit: Math.min(tail, maxPageRecords) })) {
    latest.push(...page);
    if (latest.length >= tail || performance.now() > untilMs) break;
  }
  const oldest = latest[tail - 1] ?? latest.at(-1);
  return oldest ? Math.min(newest, oldest.seq - 1) : newest;
}

/** A robot that joined a fleet or site. */
interface Joining {
  robotId: string;
  group: LogScope;
  /** When it was not a member yet, by the clock of the service. */
  absentAt: Date;
  /** The last record that was shown when it was a member before; 0: it was none. */
  shownSeq: number;
}

/** The record after which those come that the robot sent since it joined. */
export async function positionOfJoining(api: Api, { robotId, group, absentAt, shownSeq }: Joining): Promise<number> {
  // Read first: what the search does not find is newer.
  const newest = await newestOf(api, robotId);
  const since = new Date(absentAt.getTime() - clockMarginMs).toISOString();
  const limit = shownSeq === 0 ? 1 : maxPageRecords;
  for await (const page of pages(api, { ...group, robot_id: robotId, since, order: 'asc', limit })) {
    const first = page.find(({ seq }) => seq > shownSeq);
    if (first) return first.seq - 1;
  }
  return Math.max(newest, shownSeq);
}

async function newestOf(api: Api, robotId: string): Promise<number> {
  for await (const [newest] of pages(api, { robot_id: robotId, limit: 1 })) if (newest) return newest.seq;
  return 0;
}

/** The service ends a page early, even without a record, if it would scan too much. */
async function* pages(api: Api, query: Query): AsyncGenerator<readonly LogRecord[], void> {
  let cursor: string | undefined;
  do {
    const { body } = await api.get('/api/logs', { query: { ...query, cursor } });
    yield body.items;
    cursor = body.next_cursor;
  } while (cursor !== undefined);
}
