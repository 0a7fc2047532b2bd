import type { TailLine } from './data.ts';

/** So much later than a newer one a record may come, and is put in its place still. */
const lateMs = 2_000;
/** What a robot says of the time is taken where it is so near to when the service had it; else its clock is off, or it kept the record for long. */
const nearMs = 5_000;

interface Timed {
  line: TailLine;
  atMs: number;
}

/**
 * Lines of several robots in the order of time. Those of one robot stay in their own order. What came in late for more than that, and what is no record, stands
 * where it came; what is older than that is not moved any more.
 */
export function mergeByTime(maxLines: number) {
  /** The last of what there is: what comes may belong before some of it. */
  let recent: readonly Timed[] = [];
  let newestMs = 0;
  const lastMs = new Map<string, number>();

  function timed(line: TailLine, isBeginning: boolean): Timed {
    const ownMs = timeOf(line) ?? newestMs;
    const isLate = !isBeginning && ownMs < newestMs - lateMs;
    const atMs = isLate ? newestMs : Math.max(ownMs, lastMs.get(line.robotId) ?? 0);
    newestMs = Math.max(newestMs, atMs);
    lastMs.set(line.robotId, atMs);
    return { line, atMs };
  }

  return {
    /** `lines`: what this gave last. `isBeginning`: of some robots nothing came yet, and theirs may be of any time. */
    joined(lines: readonly TailLine[], fresh: readonly TailLine[], isBeginning: boolean): readonly TailLine[] {
      const settled = lines.slice(0, lines.length - recent.length);
      const moving = [...recent, ...fresh.map((line) => timed(line, isBeginning))];
      moving.sort((one, other) => one.atMs - other.atMs);
      recent = moving.filter(({ atMs }) => isBeginning || atMs >= newestMs - lateMs).slice(-maxLines);
      return [...settled, ...moving.map(({ line }) => line)].slice(-maxLines);
    },
    /** There are no lines any more. */
    clear(): void {
      recent = [];
    },
  };
}

/** Undefined where it has none that could be compared. */
function timeOf(line: TailLine): number | undefined {
  if (line.kind === 'note') return undefined;
  const { ts, received_at: received } = line.record;
  const [saidMs, receivedMs] = [Date.parse(ts ?? ''), Date.parse(received)];
  const ms = Math.abs(saidMs - receivedMs) <= nearMs ? saidMs : receivedMs;
  return Number.isNaN(ms) ? undefined : ms;
}
