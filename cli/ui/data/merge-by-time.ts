import type { TailLine } from './data.ts';

/** A record that arrives at most this much later than a newer one is still sorted in. */
const lateMs = 2_000;
/**
 * A robot's timestamp is used if it is this close to the time of receipt. Otherwise its clock is off, or it kept the
 * record for long.
 */
const nearMs = 5_000;

interface Timed {
  line: TailLine;
  atMs: number;
}

/**
 * Merges lines of several robots by time. Lines of one robot keep their order. Records that arrive later than that, and
 * notes, stay where they arrived; older lines no longer move.
 */
export function mergeByTime(maxLines: number) {
  /** The last lines: a new line may belong before some of them. */
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
    /** `lines`: the previous result. `isBeginning`: some robots have no lines yet, and theirs may be of any time. */
    joined(lines: readonly TailLine[], fresh: readonly TailLine[], isBeginning: boolean): readonly TailLine[] {
      const settled = lines.slice(0, lines.length - recent.length);
      const moving = [...recent, ...fresh.map((line) => timed(line, isBeginning))];
      moving.sort((one, other) => one.atMs - other.atMs);
      recent = moving.filter(({ atMs }) => isBeginning || atMs >= newestMs - lateMs).slice(-maxLines);
      return [...settled, ...moving.map(({ line }) => line)].slice(-maxLines);
    },
    /** All lines were removed. */
    clear(): void {
      recent = [];
    },
  };
}

/** Undefined: no comparable time. */
function timeOf(line: TailLine): number | undefined {
  if (line.kind === 'note') return undefined;
  const { ts, received_at: received } = line.record;
  const [saidMs, receivedMs] = [Date.parse(ts ?? ''), Date.parse(received)];
  const ms = Math.abs(saidMs - receivedMs) <= nearMs ? saidMs : receivedMs;
  return Number.isNaN(ms) ? undefined : ms;
}
