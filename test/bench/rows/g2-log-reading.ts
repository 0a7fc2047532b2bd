import type { Knex } from 'knex';
import { spanMs } from '../../../src/logs/model.ts';
import { logService, streamCache, type LogService } from '../../../src/logs/service.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { logLine, recordTails, seedLinkedFleet, type LinkedFleet } from '../harness/log-data.ts';
import { logHistory } from '../harness/log-history.ts';
import { median } from '../harness/pairing.ts';
import { limitLine, type Row } from '../harness/row.ts';

const robots = 1_000;
/** Lines of a robot in a window, one a second. */
const windowSeconds = 120;
const mergedWindows = 25;
const calls = 40;
const newConnections = 12;
const page = 200;
const weekMs = 7 * 86_400_000;
/** In the message of one line. */
const rareText = 'thermal runaway';
/** The robot of that line, and of the only error. */
const rareRobot = robots / 2;

/** Pages of a robot and of its fleet among 3 million lines of a week, the one error among them, and a rare text. */
export const logReadingRow: Row = {
  id: 'G2',
  work: 'the latest 200 of a robot and of a fleet of 1,000 among 3 million lines; older pages; the only error; a text in one line',
  against: 'a limit',
  async run(context) {
    const { url } = await context.database('g2');
    const fleet = await seedLinkedFleet(url, robots);
    const { orgId, fleetId, robotIds } = fleet;
    const seeding = openDatabase(url);
    const windows = await seedWeek(seeding, fleet, context.requests(mergedWindows)).finally(() => seeding.destroy());
    const ofRobot = async (logs: LogService, call: number) =>
      full(await logs.listForRobot(orgId, robotIds[(call * 37) % robots] ?? '', { limit: page }));
    const firstMs = await timesOfNew(url, ofRobot);
    const firstErrorMs = await timesOfNew(url, async (logs) => {
      const { records } = await logs.listForFleet(orgId, fleetId, { limit: page, level: 'error' });
      if (records.length !== 1) throw new Error(`${records.length} errors were found, not 1`);
    });
    const db = openDatabase(url);
    try {
      const logs = logService(db, { objects: undefined, streams: streamCache() });
      const ofFleet = async () => full(await logs.listForFleet(orgId, fleetId, { limit: page }));
      const older = (call: number) => {
        const start = windows[call % windows.length] ?? 0;
        return readOlder(logs, fleet, new Date(start + (1 + ((call * 7) % (windowSeconds - 1))) * 1_000));
      };
      const rareOne = { robotId: robotIds[rareRobot] };
      const search = async (filter: SearchFilter, text: string) => median(await searchTimes(logs, orgId, filter, text));
      const robotMs = await timesOf((call) => ofRobot(logs, call));
      const fleetMs = await timesOf(ofFleet);
      const olderMs = await timesOf(older);
      return [
        limitLine('ms, latest 200 of a robot', median(robotMs), 6),
        limitLine('ms, the same, new connection', median(firstMs), 12),
        limitLine('ms, latest 200 of a fleet', median(fleetMs), 5),
        limitLine('ms, 200 older ones of a fleet', median(olderMs), 50),
        limitLine('ms, the only error, new connection', median(firstErrorMs), 50),
        limitLine('ms, all lines with a rare text, org', await search({}, rareText), 300),
        limitLine('ms, the same, fleet', await search({ fleetId }, rareText), 300),
        limitLine('ms, the same, robot', await search(rareOne, rareText), 20),
        limitLine('ms, a text of 15 characters in no line, org', await search({}, 'lidar not found'), 300),
        limitLine('ms, one of 5 characters in no line, org', await search({}, 'fuzzy'), 300),
      ];
    } finally {
      await db.destroy();
    }
  },
};

type SearchFilter = Parameters<LogService['search']>[1];

const full = ({ records }: { records: readonly unknown[] }) => {
  if (records.length !== page) throw new Error('a page was short');
};

/** The records of a fleet before an instant, however many pages they take. */
async function readOlder(logs: LogService, { orgId, fleetId }: LinkedFleet, until: Date): Promise<void> {
  let cursor: string | undefined;
  for (let left = page; left > 0;) {
    const { records, next } = await logs.listForFleet(orgId, fleetId, { limit: left, until, cursor });
    left -= records.length;
    if (next === undefined && left > 0) throw new Error('records are missing');
    cursor = next;
  }
}

/** Of whole searches, with all their pages. */
function searchTimes(logs: LogService, orgId: string, filter: SearchFilter, text: string): Promise<number[]> {
  return timesOf(async () => {
    let found = 0;
    for (let cursor: string | undefined; ;) {
      const { records, next } = await logs.search(orgId, filter, { order: 'newest', limit: page, text, cursor });
      found += records.length;
      if (!next) break;
      cursor = next.cursor;
    }
    if (found !== (text === rareText ? 1 : 0)) throw new Error(`${found} lines with ${text} were found`);
  }, 8);
}

/** Of calls that each have a connection of their own, which knows nothing of the tables yet. */
async function timesOfNew(url: string, call: (logs: LogService, index: number) => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < newConnections; index += 1) {
    const db = openDatabase(url);
    await db.raw('select 1'); // connecting is not reading
    times.push(
      await timeOf(() => call(logService(db, { objects: undefined, streams: streamCache() }), index)).finally(() =>
        db.destroy(),
      ),
    );
  }
  return times.slice(newConnections / 4);
}

async function timesOf(call: (index: number) => Promise<void>, count = calls): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) times.push(await timeOf(() => call(index)));
  return times.slice(count / 4); // the first are for the caches
}

async function timeOf(call: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await call();
  return performance.now() - startedAt;
}

/**
 * A week as the service leaves it: windows of two minutes that are merged, and the latest one, which is not. In each, every
 * robot writes a line a second. The oldest window has the only error, and the rare text.
 * @returns when the merged windows begin
 */
async function seedWeek(db: Knex, fleet: LinkedFleet, windows: number): Promise<number[]> {
  const history = await logHistory(db, fleet);
  const lines = recordTails(50 * windowSeconds).map(logLine);
  const error = '{"level":"error","source":"journal","message":"the only one"}\n';
  const lineAt = (window: number, robot: number, second: number): string => {
    const usual = lines[((robot + window) % 50) * windowSeconds + second] ?? '';
    if (window > 0 || robot !== rareRobot || second > 1) return usual;
    return second === 0 ? error : usual.replace('"message":"', `"message":"${rareText}: `);
  };
  const addWindow = async (startMs: number, window: number) => {
    for (let second = 0; second < windowSeconds; second += 1)
      await history.add(
        startMs + second * 1_000,
        fleet.robotIds.map((robotId, robot) => {
          const text = lineAt(window, robot, second);
          return { robotId, text, maxLevel: text === error ? 4 : text.includes('"level":"warn"') ? 3 : 2 };
        }),
      );
  };
  const now = Date.now();
  const starts = Array.from({ length: windows }, (_each, window) => {
    const startMs = now - weekMs + ((window + 0.5) * weekMs) / (windows + 1);
    return Math.floor(startMs / spanMs) * spanMs; // within one span
  });
  for (const [window, startMs] of starts.entries()) {
    await addWindow(startMs, window);
    await history.merge();
  }
  await db.raw('analyze log_chunks');
  await addWindow(Date.now() - windowSeconds * 1_000, windows);
  return starts;
}
