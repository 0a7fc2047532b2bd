import type { Knex } from 'knex';
import { packText } from '../../../src/logs/body.ts';
import { messagesOf } from '../../../src/logs/line-message.ts';
import { spanMs } from '../../../src/logs/model.ts';
import { logPartitions, makeLogPartitions, segmentPartitions } from '../../../src/logs/partitions.ts';
import { createLogIngest, logService, logUpkeep, streamCache } from '../../../src/logs/service.ts';
import { buildTextFilter } from '../../../src/logs/text-filter.ts';
import { logStatPartitions } from '../../../src/log-stats/service.ts';
import { plainArray } from '../../../src/platform/db/arrays.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { logFrame, logLine, recordTails, seedLinkedFleet, type LinkedFleet } from '../harness/log-data.ts';
import { median } from '../harness/pairing.ts';
import { limitLine, type Row } from '../harness/row.ts';

const robots = 100;
/** A day of 5,000 robots that write a line in 4 s, about. */
const dayChunks = 200_000;
const linesPerChunk = 120;
/** Ten minutes of them. */
const segmentBytes = 100_000_000;
const dayMs = 86_400_000;
const besideMs = 3_000;
const insertGoalMs = 100;

/** Dropping a day of logs, and ten minutes of segments, while others are stored and read. */
export const logRetentionRow: Row = {
  id: 'G4',
  work: 'dropping a day of logs of 24 million lines while others are stored',
  against: 'a limit',
  async run(context) {
    const { url } = await context.database('g4');
    const fleet = await seedLinkedFleet(url, robots);
    const db = openDatabase(url);
    const samples: { gigabytes: number; dropMs: number; insertMs: number; readMs: number; quietMs: number }[] = [];
    try {
      await makeLogPartitions(db);
      for (let round = 0; round < context.rounds(3); round += 1) {
        const drop = await seedOld(db, fleet, context.requests(dayChunks));
        const quiet = await longestBeside(db, fleet, () => new Promise((resolve) => setTimeout(resolve, besideMs)));
        const busy = await longestBeside(db, fleet, drop.run);
        samples.push({ ...busy, gigabytes: drop.gigabytes, quietMs: quiet.insertMs });
      }
    } finally {
      await db.destroy();
    }
    const of = (figure: (sample: (typeof samples)[number]) => number) => median(samples.map(figure));
    return [
      limitLine(
        'GB that are dropped',
        of(({ gigabytes }) => gigabytes),
      ),
      limitLine(
        'ms, dropping them',
        of(({ dropMs }) => dropMs),
      ),
      limitLine('ms, longest insert meanwhile', Math.max(...samples.map(({ insertMs }) => insertMs)), insertGoalMs),
      limitLine('ms, longest insert without', Math.max(...samples.map(({ quietMs }) => quietMs))),
      limitLine('ms, longest read of a robot meanwhile', Math.max(...samples.map(({ readMs }) => readMs))),
    ];
  },
};

/** A day that is out of retention, and a partition of segments that are merged. */
async function seedOld(db: Knex, { orgId, fleetId, robotIds }: LinkedFleet, chunks: number) {
  const day = Math.floor(Date.now() / dayMs) * dayMs - 3 * dayMs;
  await logPartitions(db).make([day]);
  await logStatPartitions(db).make([day]);
  const text = recordTails(linesPerChunk).map(logLine).join('');
  const { body, bytes } = await packText(text);
  await db.raw(
    `insert into log_chunks (org_id, robot_id, fleet_id, first_at, received_at, first_seq, last_seq, records, bytes, max_level, body, text_filter)
     select :orgId, (:robots::uuid[])[1 + n % :count::int], :fleetId, at, at, n * :lines::int + 1, (n + 1) * :lines::int, :lines::int, :bytes::int, 3, :body::bytea, :filter::bytea
       from (select n, :day::timestamptz + n * interval '1 ms' as at from generate_series(0, :chunks::int - 1) n) chunk`,
    {
      orgId,
      fleetId,
      robots: plainArray(robotIds),
      count: robotIds.length,
      day: new Date(day),
      chunks,
      lines: linesPerChunk,
      bytes,
      body,
      filter: buildTextFilter(messagesOf(text)),
    },
  );
  const span = Math.floor(Date.now() / spanMs) * spanMs - 2 * spanMs;
  const segments = segmentPartitions(db);
  await segments.make([span]);
  await db.raw(
    `insert into log_segments (org_id, received_at, format, records, bytes, max_level, first_stream, streams, levels, places, head, body)
     select gen_random_uuid(), :span::timestamptz + n * interval '1 ms', 1, 0, 0, 1, 0, '', '', '{}', '', :body::bytea
       from generate_series(1, :count::int) n`,
    { span: new Date(span), count: Math.floor(segmentBytes / body.length), body },
  );
  const { rows } = await db.raw<{ rows: [{ gigabytes: number }] }>(
    `select sum(pg_total_relation_size(inhrelid))::float8 / 1e9 as gigabytes from pg_inherits
      where inhparent in ('log_chunks'::regclass, 'log_segments'::regclass)`,
  );
  return {
    gigabytes: rows[0].gigabytes,
    run: async () => {
      await logUpkeep(db, 1).run();
      await segments.drop([span]);
      if ((await logPartitions(db).list()).includes(day)) throw new Error('the day was not dropped');
    },
  };
}

/** Stores lines of all robots again and again, as segments and as a chunk, and reads a robot, until the work is done. */
async function longestBeside(db: Knex, { orgId, fleetId, robotIds }: LinkedFleet, work: () => Promise<unknown>) {
  const ingest = createLogIngest({ db, log: createLogger('silent', []) });
  const logs = logService(db, { objects: undefined, streams: streamCache() });
  const tails = recordTails(robots);
  const longest = { insertMs: 0, readMs: 0, dropMs: 0 };
  const time = async (figure: keyof typeof longest, act: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await act();
    longest[figure] = Math.max(longest[figure], performance.now() - startedAt);
  };
  let isOver = false;
  const untilOver = async (act: (turn: number) => Promise<unknown>) => {
    for (let turn = 1; !isOver; turn += 1) await act(turn);
  };
  const firstSeq = Date.now(); // beyond those of the round before
  const storeSegment = async (turn: number) => {
    for (const [index, robotId] of robotIds.entries()) {
      const frame = ingest.scan(logFrame(firstSeq + turn, [tails[index] ?? '']));
      if (!frame) throw new Error('a frame has another form');
      ingest.accept({ orgId, robotId, epoch: 1 }, frame, ({ kind }) => {
        if (kind !== 'stored') throw new Error(`log lines were ${kind}`);
      });
    }
    await ingest.flush();
  };
  const storeChunk = (turn: number) =>
    db.raw(
      `insert into log_chunks (org_id, robot_id, fleet_id, first_at, received_at, first_seq, last_seq, records, bytes, max_level, body)
       values (?, ?, ?, now(), now(), ?, ?, 1, 2, 1, '')`,
      [orgId, robotIds[turn % robots] ?? '', fleetId, firstSeq + turn, firstSeq + turn],
    );
  await storeSegment(0); // how far each robot is stored is read now
  const beside = [
    untilOver((turn) => time('insertMs', () => storeSegment(turn))),
    untilOver((turn) => time('insertMs', () => storeChunk(turn))),
    untilOver((turn) =>
      time('readMs', () => logs.listForRobot(orgId, robotIds[turn % robots] ?? '', { limit: 200, level: 'error' })),
    ),
  ];
  await time('dropMs', work).finally(() => (isOver = true));
  await Promise.all(beside);
  return longest;
}
