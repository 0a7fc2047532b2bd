import type { RecordRedaction, Redactor } from '../log-redactions/service.ts';
import type { LinkRef, LogOutcome } from './batch.ts';
import type { KeptRecord } from './model.ts';
import { leave, recordOf, toLine, type FrameRecord, type KeptFrame, type KeptLine } from './normalise.ts';

export interface QueuedFrame extends KeptFrame {
  link: LinkRef;
  done(outcome: LogOutcome): void;
  /** The frame, and what comes after it on its link, is not stored. */
  fail(): void;
}

/** The line of a record of a frame, by its index. */
export type LineOf = (index: number) => KeptLine;

interface QueueSettings {
  redaction: RecordRedaction;
  add(frame: QueuedFrame, lineOf: LineOf): void;
  /** Text waits here, in characters; less of it, if negative. */
  hold(length: number): void;
}

/**
 * Passes frames on, those of a link in order. Most are passed on at once. A frame waits here while the rules of its org
 * are read, or applied to its records.
 */
export function frameQueue({ redaction, add, hold }: QueueSettings) {
  const waiting = new Set<QueuedFrame>();
  const ends = new Map<string, Promise<void>>(); // by link: when the last of its frames is passed on

  async function prepare(frame: QueuedFrame, before: Promise<void> | undefined): Promise<void> {
    const kept = frame.records.map(recordOf);
    const length = kept.reduce((sum, { message }) => sum + message.length, 0);
    hold(length);
    try {
      const prepared = redaction.prepare(frame.link.orgId, kept.map(saidBy));
      await Promise.all([prepared, before]);
      const { redacted, redactor } = await prepared;
      if (!waiting.delete(frame)) return;
      kept.forEach((record, index) => {
        const left = redacted[index];
        if (left) leave(record, left);
      });
      add(frame, linesOf(kept, redactor));
    } catch {
      if (waiting.delete(frame)) frame.fail();
    } finally {
      hold(-length);
    }
  }

  return {
    pass(frame: QueuedFrame): void {
      const key = `${frame.link.robotId} ${frame.link.epoch}`;
      const before = ends.get(key);
      const redactor = before ? undefined : redaction.find(frame.link.orgId);
      if (redactor) return add(frame, linesOf(frame.records, redactor));
      waiting.add(frame);
      const end = prepare(frame, before).finally(() => {
        if (ends.get(key) === end) ends.delete(key);
      });
      ends.set(key, end);
    },

    /** Resolves when nothing waits. */
    async empty(): Promise<void> {
      while (waiting.size > 0) await Promise.all(ends.values());
    },

    /** What waits is not stored. */
    fail(): void {
      for (const frame of waiting) frame.fail();
      waiting.clear();
    },
  };
}

const linesOf =
  (records: readonly FrameRecord[], redactor: Redactor): LineOf =>
  (index) =>
    toLine(records[index] as FrameRecord, redactor); // there is one for each number

const saidBy = ({ message, fields }: KeptRecord) => ({ message, ...(fields && { fields }) });
