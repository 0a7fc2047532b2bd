import type { Knex } from 'knex';
import { spanMs } from '../../../src/logs/model.ts';
import { segmentPartitions } from '../../../src/logs/partitions.ts';
import { segmentFormat, type TextEntry } from '../../../src/logs/segments/format.ts';
import { segmentMerging } from '../../../src/logs/segments/merging.ts';
import { packSegment } from '../../../src/logs/segments/pack.ts';
import { findAllStreams } from '../../../src/logs/segments/streams.ts';
import { plainArray } from '../../../src/platform/db/arrays.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import type { LinkedFleet } from './log-data.ts';

/** A record of a robot as it is stored. */
interface StoredLine {
  robotId: string;
  text: string;
  maxLevel: number;
}

/** Writes segments of an org as if their records had been received at other times, and has them merged as the service does. */
export async function logHistory(db: Knex, { orgId, robotIds }: LinkedFleet) {
  await db.raw('select take_log_robots(?::uuid, ?::uuid[])', [orgId, plainArray(robotIds)]);
  const streams = new Map([...(await findAllStreams(db, orgId))].map(([stream, { robotId }]) => [robotId, stream]));
  const seqs = new Map<string, number>(); // the last ones, by robot
  const partitions = segmentPartitions(db);
  const merging = segmentMerging(db, { log: createLogger('silent', []), onLost: () => undefined });

  function entryOf({ robotId, text, maxLevel }: StoredLine): TextEntry {
    const seq = (seqs.get(robotId) ?? 0) + 1;
    seqs.set(robotId, seq);
    const numbers = { stream: streams.get(robotId) ?? 0, fromSeq: seq, toSeq: seq, firstSeq: seq, records: 1 };
    return { ...numbers, spool: 'spool', maxLevel, length: text.length, text };
  }

  return {
    /** One segment, with a line of each of these robots. */
    async add(receivedAtMs: number, lines: readonly StoredLine[]): Promise<void> {
      await partitions.make([Math.floor(receivedAtMs / spanMs) * spanMs]);
      const segment = await packSegment(lines.map(entryOf));
      await db('log_segments').insert({
        org_id: orgId,
        received_at: new Date(receivedAtMs),
        format: segmentFormat,
        records: segment.records,
        bytes: segment.bytes,
        max_level: segment.maxLevel,
        first_stream: segment.firstStream,
        streams: segment.streams,
        levels: segment.levels,
        places: plainArray(segment.places),
        head: segment.head,
        body: segment.body,
      });
    },

    /** Merges everything, and drops it as segments. */
    async merge(): Promise<void> {
      await merging.run(true);
      await partitions.drop(await partitions.list());
    },
  };
}
