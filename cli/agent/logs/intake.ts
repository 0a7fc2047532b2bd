import type { LogRecord, Position } from '../spool/record.ts';
import type { Spool } from '../spool/spool.ts';
import { tokenBucket, type TokenBucket } from './token-bucket.ts';

/** Every source writes its records here. */
export interface Intake {
  /**
   * Keeps the record, or drops and counts it when the source exceeds its rate. `record` is called only if it is kept.
   */
  offer(source: string, record: () => LogRecord, position?: Position): void;
  /** Resolves once the next record of the source would be kept; for sources that can wait, such as a file. */
  room(source: string): Promise<void>;
  /** Reports the records dropped so far. */
  close(): void;
}

const sourceRate = { perSecond: 200, burst: 1000 };
const totalRate = { perSecond: 500, burst: 2000 };
/** Interval of the record that reports what a source dropped. */
const gapEveryMs = 1000;

export function logIntake(spool: Pick<Spool, 'append' | 'takeLost'>, now?: () => number): Intake {
  const bucket = ({ perSecond, burst }: typeof sourceRate) => tokenBucket(perSecond, burst, now);
  const total = bucket(totalRate);
  const sources = new Map<string, { own: TokenBucket; dropped: number; position: Position }>();
  const sourceOf = (name: string) => {
    const known = sources.get(name) ?? { own: bucket(sourceRate), dropped: 0, position: undefined };
    sources.set(name, known);
    return known;
  };

  function tell(): void {
    for (const [source, state] of sources) {
      if (state.dropped > 0) gap(source, state.dropped, 'rate_limit', 'it writes faster than it may', state.position);
      state.dropped = 0;
      state.position = undefined;
    }
    const lost = spool.takeLost();
    if (lost) gap('agent', lost.dropped, lost.reason, lost.why);
  }

  function gap(source: string, dropped: number, reason: NonNullable<LogRecord['reason']>, why: string, at?: Position) {
    const message = `${dropped} ${dropped === 1 ? 'record' : 'records'} dropped: ${why}`;
    spool.append({ type: 'gap', ts: new Date().toISOString(), level: 'warn', source, message, dropped, reason }, at);
  }

  const timer = setInterval(tell, gapEveryMs);
  return {
    offer(source, record, position) {
      const state = sourceOf(source);
      if (state.own.msUntilNext() === 0 && total.take()) {
        state.own.take();
        // This record comes after the dropped ones.
        state.position = undefined;
        spool.append(record(), position);
        return;
      }
      state.dropped += 1;
      state.position = position;
    },
    async room(source) {
      const waitMs = () => Math.max(sourceOf(source).own.msUntilNext(), total.msUntilNext());
      for (let ms = waitMs(); ms > 0; ms = waitMs()) await new Promise((resolve) => setTimeout(resolve, ms));
    },
    close() {
      clearInterval(timer);
      tell();
    },
  };
}
