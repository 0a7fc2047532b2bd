import { readMessage, type Message } from './hint.ts';

/** The channel of NOTIFY. */
export const channel = 'fleet_hints';

/**
 * The statement that records the hints of a transaction, given as a text array. The transaction's id says which rows a
 * reader may have missed. With `notifies`, it notifies the replicas that listen, too.
 */
export const recordSql = (notifies: boolean): string =>
  notifies
    ? `with recorded as (insert into hints (hint) select unnest(?::text[]) returning hint)
       select pg_notify('${channel}', hint) from recorded`
    : 'insert into hints (hint) select unnest(?::text[])';

/**
 * New hints: those of all transactions that an earlier reader could not see. `next_xid`: where the next reader begins. One
 * statement, as both must be of one snapshot. `older`: a replica of a release that records no hints is alive.
 */
export const readSql = `
  select pg_snapshot_xmin(pg_current_snapshot())::text as next_xid,
         array(select hint from hints where xid >= $1::xid8 order by xid) as hints,
         exists (select from replicas where lease_until > now() and not records_hints) as older`;

export interface LogRow {
  next_xid: string;
  hints: string[];
  older: boolean;
}

export const dropSql = 'delete from hints where xid < $1::xid8';

/** Hints are kept for this long. A reader that was away for longer may have missed some. */
export const keptMs = 60_000;

interface Position {
  xid: bigint;
  atMs: number; // when it was read
}

/**
 * What a reader of recorded hints has seen. Hints also come faster, over NOTIFY or NATS; each is delivered once, whichever
 * way is first. A transaction that began earlier may commit later, so a reader begins at the oldest that was running, and
 * leaves out what it has seen.
 */
export function hintLog(deliver: (message: Message) => void) {
  /** Positions of the last `keptMs`, the oldest first. */
  let positions: Position[] = [];
  let seen = new Set<string>();
  let carried = new Set<string>(); // since the last reading began

  return {
    /** Where to read from; undefined before the first reading. */
    get from(): string | undefined {
      return positions.at(-1)?.xid.toString();
    },

    /** Rows of transactions before this one have been kept long enough; undefined if there is none. */
    droppable(nowMs: number): string | undefined {
      return positions.findLast(({ atMs }) => nowMs - atMs >= keptMs)?.xid.toString();
    },

    /** A hint came another way. */
    carry(message: Message): void {
      const { id } = message;
      if (id === undefined) return deliver(message);
      if (seen.has(id) || carried.has(id)) return;
      carried.add(id);
      deliver(message);
    },

    /** Begins a reading; call the result with its row. Returns whether hints may have been lost. */
    read(): (row: LogRow, nowMs: number) => boolean {
      const before = carried;
      carried = new Set();
      return ({ next_xid: nextXid, hints }, nowMs) => {
        const last = positions.at(-1);
        const xid = BigInt(nextXid);
        // A standby that lags behind counts again from where it was.
        const isLost = last !== undefined && (xid < last.xid || nowMs - last.atMs > keptMs);
        const ids = new Set(before);
        for (const text of hints) {
          const message = readMessage(text);
          if (message?.id === undefined) continue;
          ids.add(message.id);
          if (!seen.has(message.id) && !before.has(message.id) && !carried.has(message.id)) deliver(message);
        }
        seen = ids;
        positions = [...(isLost ? [] : positions), { xid, atMs: nowMs }];
        const oldest = positions.findLastIndex(({ atMs }) => nowMs - atMs >= keptMs);
        if (oldest > 0) positions = positions.slice(oldest);
        return isLost;
      };
    },
  };
}
