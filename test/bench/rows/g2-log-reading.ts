import type { Knex } from 'knex';
import { packText } from '../../../src/logs/body.ts';
import { messagesOf } from '../../../src/logs/line-message.ts';
import { logPartitions } from '../../../src/logs/partitions.ts';
import { logService, streamCache, type LogService } from '../../../src/logs/service.ts';
import { buildTextFilter } from '../../../src/logs/text-filter.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { frameTexts, seedLinkedFleet } from '../harness/log-data.ts';
import { median } from '../harness/pairing.ts';
import { limitLine, type Row } from '../harness/row.ts';

const robots = 1_000;
const linesPerChunk = 200;
const chunksPerRobot = 15;
const calls = 40;
const dayMs = 86_400_000;
/** In the message of one line. */
const rareText = 'thermal runaway';

/** Pages of a robot and of its fleet among 3 million lines of a week, the one error among them, and a rare text. */
export const logReadingRow: Row = {
  id: 'G2',
  work: 'the latest 200 of a robot and of a fleet of 1,000 among 3 million lines; the only error; a text in one line',
  against: 'a limit',
  async run(context) {
    const { url } = await context.database('g2');
    const { orgId, fleetId, robotIds } = await seedLinkedFleet(url, robots);
    const seeding = openDatabase(url);
    await seedWeek(seeding, { orgId, fleetId, robotIds }).finally(() => seeding.destroy());
    // A pool of its own: its connections know nothing of the tables yet.
    const cold = openDatabase(url);
    try {
      const logs = logService(cold, { objects: undefined, streams: streamCache() });
      await cold.raw('select 1'); // connecting is not reading
      const firstError = await timeOf(async () => {
        const { records } = await logs.listForFleet(orgId, fleetId, { limit: 200, level: 'error' });
        if (records.length !== 1) throw new Error(`${records.length} errors were found, not 1`);
      });
      const ofRobot = await timesOf(async (call) => {
        const { records } = await logs.listForRobot(orgId, robotIds[(call * 37) % robots] ?? '', { limit: 200 });
        if (records.length !== 200) throw new Error('a page was short');
      });
      const ofFleet = await timesOf(async () => {
        const { records } = await logs.listForFleet(orgId, fleetId, { limit: 200 });
        if (records.length !== 200) throw new Error('a page was short');
      });
      const rareOne = { robotId: robotIds[robots / 2] };
      const search = async (filter: SearchFilter, text: string) => median(await searchTimes(logs, orgId, filter, text));
      return [
        limitLine('ms, latest 200 of a robot', median(ofRobot), 5),
        limitLine('ms, latest 200 of a fleet', median(ofFleet), 5),
        limitLine('ms, the only error, first call', firstError, 50),
        limitLine('ms, all lines with a rare text, org', await search({}, rareText), 300),
        limitLine('ms, the same, fleet', await search({ fleetId }, rareText), 300),
        limitLine('ms, the same, robot', await search(rareOne, rareText), 20),
        limitLine('ms, a text of 15 characters in no line, org', await search({}, 'lidar not found'), 300),
        limitLine('ms, one of 5 characters in no line, org', await search({}, 'fuzzy'), 300),
      ];
    } finally {
      await cold.destroy();
    }
  },
};

type SearchFilter = Parameters<LogService['search']>[1];

/** Of whole searches, with all their pages. */
function searchTimes(logs: LogService, orgId: string, filter: SearchFilter, text: string): Promise<number[]> {
  return timesOf(async () => {
    let found = 0;
    for (let cursor: string | undefined; ;) {
      const { records, next } = await logs.search(orgId, filter, { order: 'newest', limit: 200, text, cursor });
      found += records.length;
      if (!next) break;
      cursor = next.cursor;
    }
    if (found !== (text === rareText ? 1 : 0)) throw new Error(`${found} lines with ${text} were found`);
  }, 8);
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
 * A week as merging leaves it: each robot's lines in chunks of a span, robots shifted against each other; and of the last minutes a line a chunk,
 * as they came. Every chunk holds warnings, the oldest one the error. The robot of the error has the rare text, in its first chunk of a span.
 */
async function seedWeek(db: Knex, fleet: { orgId: string; fleetId: string; robotIds: string[] }): Promise<void> {
  const texts = frameTexts({ agents: 50, frames: 1, lines: linesPerChunk }).map((frame) => {
    const { records } = JSON.parse(frame) as { records: object[] };
    return `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
  });
  const bodies = await Promise.all(texts.map(packMerged));
  const rare = await packMerged((texts[0] ?? '').replace('"message":"', `"message":"${rareText}: `));
  const single = await packText(texts[0]?.slice(0, texts[0].indexOf('\n') + 1) ?? '');
  const error = await packText('{"level":"error","source":"journal","message":"the only one"}\n');
  const now = Date.now();
  const today = Math.floor(now / dayMs) * dayMs;
  await logPartitions(db).make(Array.from({ length: 9 }, (_each, back) => today - (7 - back) * dayMs));
  for (const [robot, robotId] of fleet.robotIds.entries()) {
    const rows: object[] = [];
    let seq = 1;
    const add = (atMs: number, records: number, maxLevel: number, packed: { body: Buffer; bytes: number }) => {
      const at = new Date(atMs);
      rows.push({
        org_id: fleet.orgId,
        robot_id: robotId,
        fleet_id: fleet.fleetId,
        first_at: at,
        received_at: at,
        first_seq: seq,
        last_seq: seq + records - 1,
        records,
        max_level: maxLevel,
        ...packed,
      });
      seq += records;
    };
    if (robot === robots / 2) add(now - 6.5 * dayMs, 1, 4, error);
    for (let chunk = 0; chunk < chunksPerRobot; chunk += 1)
      add(
        now - 6 * dayMs + chunk * 0.38 * dayMs + robot * 500,
        linesPerChunk,
        3,
        robot === robots / 2 && chunk === 0 ? rare : (bodies[(robot + chunk) % bodies.length] ?? single),
      );
    for (let line = 0; line < 5; line += 1) add(now - 60_000 + line * 10_000 + robot, 1, 2, single);
    await db.batchInsert('log_chunks', rows, 100);
  }
  await db.raw('analyze log_chunks');
}

const packMerged = async (text: string) => ({
  ...(await packText(text)),
  text_filter: buildTextFilter(messagesOf(text)),
});
