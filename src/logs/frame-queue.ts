import type { RecordRedaction, Redactor } from '../log-redactions/service.ts';
import type { LinkRef, LogOutcome } from './batch.ts';
import type { KeptRecord } from './model.ts';
import { leave, recordOf, type FrameRecord, type KeptFrame } from './normalise.ts';

export interface QueuedFrame extends KeptFrame {
  link: LinkRef;
  done(outcome: LogOutcome): void;
}

interface QueueSettings {
  redaction: RecordRedaction;
  /** `records`: what is stored of the frame. What the redactor finds in them is not removed yet. */
  add(frame: QueuedFrame, records: readonly FrameRecord[], redactor: Redactor): void;
  /** The frame, and what comes after it on its link, is not stored. */
  fail(frame: QueuedFrame): void;
  /** So much JSON of records waits here, in characters; less of it, if negative. */
  hold(length: number): void;
}

/**
 * Passes frames on, those of a link in order. Most are passed on at once. A frame waits here while the rules of its org
 * are read, or applied to its records.
 */
export function frameQueue({ redaction, add, fail, hold }: QueueSettings) {
  const waiting = new Set<QueuedFrame>();
  const ends = new Map<string, Promise<void>>(); // by link: when the last of its frames is passed on

  async function prepare(frame: QueuedFrame, before: Promise<void> | undefined): Promise<void> {
    const kept = frame.records.map(recordOf);
    const length = frame.records.reduce((sum, record) => sum + lengthOf(record), 0);
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
      add(frame, kept, redactor);
    } catch {
      if (waiting.delete(frame)) fail(frame);
    } finally {
      hold(-length);
    }
  }

  return {
    pass(frame: QueuedFrame): void {
      const { orgId, robotId, epoch } = frame.link;
      const redactor = redaction.find(orgId);
      if (redactor && ends.size === 0) return add(frame, frame.records, redactor);
      const key = `${robotId} ${epoch}`;
      const before = ends.get(key);
      if (redactor && !before) return add(frame, frame.records, redactor);
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
      for (const frame of waiting) fail(frame);
      waiting.clear();
    },
  };
}

const lengthOf = (record: FrameRecord): number => ('json' in record ? record.json : JSON.stringify(record)).length;

const saidBy = ({ message, fields }: KeptRecord) => ({ message, ...(fields && { fields }) });
