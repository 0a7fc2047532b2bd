import type { Logs, LogsAck, SpooledRecord } from '../../../generated/frames.js';
import { limits } from '../../../generated/protocol.js';

/** The unacknowledged records of a simulated robot, in memory, so there are few. */
interface MemorySpool {
  /**
   * Appends `count` records and returns the frames to send. When too many frames are waiting, the records are lost and
   * reported as a gap.
   */
  write(count: number, line: (seq: number) => SpooledRecord): readonly Logs[];
  /** Returns the number of records that this acknowledges for the first time. */
  acknowledge(ack: LogsAck): number;
  /** The frames to send on a new link. */
  readonly unacknowledged: readonly Logs[];
  /** The number of lost records. */
  readonly dropped: number;
}

/** Frames that may wait. A longer outage of the service loses records, as a full disk would. */
const maxWaiting = 8;

/** `spool` must be new for each run: its numbers start at 1. */
export function memorySpool(spool: string): MemorySpool {
  const waiting: Logs[] = [];
  let seq = 0;
  let dropped = 0;
  let untold = 0;

  const frameOf = (records: SpooledRecord[]): Logs => ({
    type: 'logs',
    spool,
    from_seq: records[0]?.seq ?? 0,
    to_seq: records.at(-1)?.seq ?? 0,
    records,
  });

  return {
    write(count, line) {
      const frames: Logs[] = [];
      for (let left = count; left > 0;) {
        if (waiting.length >= maxWaiting) {
          [dropped, untold] = [dropped + left, untold + left];
          return frames;
        }
        const records: SpooledRecord[] = [];
        if (untold > 0) records.push(gapOf((seq += 1), untold));
        untold = 0;
        for (; left > 0 && records.length < limits.maxRecordsPerFrame; left -= 1) records.push(line((seq += 1)));
        const frame = frameOf(records);
        waiting.push(frame);
        frames.push(frame);
      }
      return frames;
    },
    acknowledge(ack) {
      let records = 0;
      while (ack.spool === spool && waiting[0] && waiting[0].to_seq <= ack.seq)
        records += waiting.shift()?.records.length ?? 0;
      return records;
    },
    unacknowledged: waiting,
    get dropped() {
      return dropped;
    },
  };
}

const gapOf = (seq: number, dropped: number): SpooledRecord => ({
  seq,
  type: 'gap',
  ts: new Date().toISOString(),
  level: 'warn',
  source: 'agent',
  message: `${dropped} records dropped`,
  dropped,
  reason: 'quota',
});
