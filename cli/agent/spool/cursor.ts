import type { SpooledRecord } from '../../../generated/frames.js';
import { parseLine, type OnLost } from './record.ts';
import { isDamage, isMissing, readLines, type Segment } from './segments.ts';

/** Reads the records of a spool's segments in order, each once. It remembers its position in the file. */
interface SegmentCursor {
  /** Moves to the first record with a number above `after`. The array may grow and shrink while it is read. */
  reset(segments: readonly Segment[], after: number): void;
  /** Undefined at the end of the written records. Rejects on a disk error. */
  read(maxRecords: number, maxBytes: number): Promise<SpooledRecord[] | undefined>;
}

/** Failed reads of damaged blocks after which the rest of their segment is skipped. */
const maxFaults = 3;
const damaged = ['damaged', 'the disk damaged them'] as const;

/** `lose` is called for what cannot be sent: a line that is no record, a damaged file, a record larger than a frame. */
export function segmentCursor(lose: OnLost): SegmentCursor {
  let all: readonly Segment[] = [];
  let place = { segment: undefined as Segment | undefined, offset: 0, after: 0 };
  let faults = 0;
  /** Losses up to this number were counted: each new link reads them again. */
  let countedTo = 0;

  function loseNumbers(after: number, last: number, ...why: ['quota' | 'damaged', string]): void {
    lose(last - Math.max(after, countedTo), ...why);
    countedTo = Math.max(countedTo, last);
  }

  /** At least one: the last number in a segment is known once another segment follows. */
  function loseRest({ first }: Segment): void {
    const after = Math.max(place.after, first - 1);
    const next = all.find((other) => other.first > first)?.first ?? after + 2;
    loseNumbers(after, next - 1, ...damaged);
  }

  /** The segment to read from; the next one if the current one is at its end or was deleted. */
  function current(): Segment | undefined {
    const { segment } = place;
    if (segment && all.includes(segment) && place.offset < segment.bytes) return segment;
    const next = all.find(({ first }) => first > (segment?.first ?? 0));
    if (!next) return undefined;
    place.segment = next;
    place.offset = 0;
    return next.bytes > 0 ? next : undefined;
  }

  return {
    reset(segments, after) {
      all = segments;
      place = { segment: segments.findLast(({ first }) => first <= after + 1), offset: 0, after };
    },
    async read(maxRecords, maxBytes) {
      const own = place;
      const records: SpooledRecord[] = [];
      for (let bytes = 0; records.length < maxRecords && bytes < maxBytes;) {
        const segment = current();
        if (!segment) break;
        let lines: Buffer | undefined;
        let isGone = false;
        try {
          lines = await readLines(segment, own.offset, maxBytes);
          faults = 0;
        } catch (error) {
          // What was read before must be sent before the rest is skipped.
          if (own === place && records.length > 0) break;
          isGone = isMissing(error);
          if (isDamage(error) ? (faults += 1) < maxFaults : !isGone) throw error;
        }
        // The cursor was reset meanwhile: the lines read are discarded.
        if (own !== place) return undefined;
        if (!lines) {
          // No complete line where one should be: the file was deleted, which may have been counted, or is damaged.
          if (isGone) lose(1, ...damaged);
          else loseRest(segment);
          faults = 0;
          own.offset = segment.bytes;
          continue;
        }
        let start = 0;
        for (let end = lines.indexOf(0x0a); end !== -1; end = lines.indexOf(0x0a, start)) {
          if (records.length === maxRecords || (records.length > 0 && bytes + end - start > maxBytes)) break;
          const record = parseLine(lines.toString('utf8', start, end))?.record;
          if (!record) lose(1, ...damaged);
          else if (record.seq > own.after) {
            own.after = record.seq;
            if (end - start > maxBytes)
              loseNumbers(record.seq - 1, record.seq, 'quota', 'they are larger than a frame');
            else {
              records.push(record);
              bytes += end - start;
            }
          }
          start = end + 1;
        }
        own.offset += start;
        if (start < lines.length) break;
      }
      return records.length > 0 ? records : undefined;
    },
  };
}
