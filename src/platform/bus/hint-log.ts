import { readMessage, type Message } from './hint.ts';

/** The channel of NOTIFY. */
export const channel = 'fleet_hints';

/**
 * The statement that records the hints of a transaction, given as a text array. With `notifies`, it notifies the replicas
 * that listen, too.
 */
export const recordSql = (notifies: boolean): string =>
  notifies
    ? `with recorded as (insert into hints (hint) select unnest(?::text[]) returning hint)
       select pg_notify('${channel}', hint) from recorded`
    : 'insert into hints (hint) select unnest(?::text[])';

/** Hints of one reading. A reader that lags by more discards its caches instead. */
const maxHints = 10_000;

/**
 * The hints of transactions that $1, the snapshot of the last reading, does not show; null: none. All of one statement, as
 * the hints and the new snapshot belong together. `older`: a replica of a release that records no hints is alive.
 */
export const readSql = `
  select pg_current_snapshot()::text as snapshot,
         array(select hint from hints
                where xid >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(xid, $1::pg_snapshot)
                order by xid limit ${maxHints + 1}) as hints,
         exists (select from replicas where lease_until > now() and not records_hints) as older`;

export interface LogRow {
  snapshot: string;
  hints: string[];
  older: boolean;
}

/**
 * Some hints of transactions that $1, a snapshot of a minute ago, shows. Those of the future are from another server, whose
 * database was restored here.
 */
export const dropSql = `
  delete from hints where ctid = any(array(
    select ctid from hints
     where xid < pg_snapshot_xmax($1::pg_snapshot) and pg_visible_in_snapshot(xid, $1::pg_snapshot)
        or xid >= pg_snapshot_xmax(pg_current_snapshot())
     limit ${maxHints} for update skip locked))`;

/** Hints are kept for this long. A reader that was away for longer may have missed some. */
export const keptMs = 60_000;

interface Reading {
  snapshot: string; // `xmin:xmax:` and what ran
  atMs: number;
}

const endOf = (snapshot: string): bigint => BigInt(snapshot.split(':')[1] ?? 0);

/**
 * What a reader of recorded hints knows. Hints also come faster, over NOTIFY or NATS; each is delivered once, whichever
 * comes first. A snapshot says which transactions were over at a reading, so one that began early and ends late is not
 * missed.
 */
export function hintLog(deliver: (message: Message) => void) {
  /** Those of the last `keptMs`, the oldest first. */
  let readings: Reading[] = [];
  /** IDs that came another way: since the last reading began, and between the one before and that one. */
  let carried = new Set<string>();
  let carriedBefore = new Set<string>();
  /** IDs of the last reading. */
  let read = new Set<string>();

  const isKnown = (id: string) => read.has(id) || carried.has(id) || carriedBefore.has(id);

  return {
    /** Of the last reading; undefined before the first. */
    get snapshot(): string | undefined {
      return readings.at(-1)?.snapshot;
    },

    /** What this snapshot shows was kept long enough; undefined if there is none. */
    droppable(nowMs: number): string | undefined {
      return readings.findLast(({ atMs }) => nowMs - atMs >= keptMs)?.snapshot;
    },

    /** A hint came another way. */
    carry(message: Message): void {
      const { id } = message;
      if (id !== undefined) {
        if (isKnown(id)) return;
        carried.add(id);
      }
      deliver(message);
    },

    /** Begins a reading; call the result with its row. Returns whether hints may have been lost. */
    begin(): (row: LogRow, nowMs: number) => boolean {
      carriedBefore = carried;
      carried = new Set();
      return ({ snapshot, hints }, nowMs) => {
        const last = readings.at(-1);
        // A standby that lags behind counts again from where it was.
        const isAnew = last !== undefined && (endOf(snapshot) < endOf(last.snapshot) || nowMs - last.atMs > keptMs);
        const isTooMany = hints.length > maxHints;
        const messages = isTooMany ? [] : hints.map(readMessage);
        const ids = messages.map((message) => message?.id).filter((id) => id !== undefined);
        for (const message of messages) if (message?.id !== undefined && !isKnown(message.id)) deliver(message);
        read = new Set(ids);
        readings = [...(isAnew ? [] : readings), { snapshot, atMs: nowMs }];
        const oldest = readings.findLastIndex(({ atMs }) => nowMs - atMs >= keptMs);
        if (oldest > 0) readings = readings.slice(oldest);
        return isAnew || isTooMany || ids.length < messages.length; // one of a newer replica that this release does not know
      };
    },
  };
}
