import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { createFeed } from './feed.ts';
import type { Follows } from '../../logs/following.ts';
import { decodePosition, decodeSeq, type LogMark, type LogQuery, type LogRecord } from '../../logs/model.ts';
import { logReader } from '../../logs/reader.ts';
import { readLogRows, type LogReading } from '../../logs/rows.ts';
import { newestMark } from '../../logs/segments/places.ts';
import { openTail, type SerializedRecord, type Sink, type StoredLogs, type TailRequest } from './tail.ts';

interface LiveLogsSettings {
  db: Knex;
  logReading: LogReading;
  log: Logger;
  follows: Pick<Follows, 'follow'>;
  /** A record in its wire format. */
  textOf(record: LogRecord): string;
}

/** A mark that is later than this, in ms, was set by a clock that was ahead; the clock may have been corrected since. */
const trustedAheadMs = 1_800_000;

/**
 * A robot's `received_at` never goes back, unless the database's clock was ahead by more than an hour. So records after a
 * later mark are searched without its time.
 */
const trusted = ({ seq, atMs }: LogMark): LogMark =>
  atMs !== undefined && atMs < Date.now() + trustedAheadMs ? { seq, atMs } : { seq };

export type LiveLogs = ReturnType<typeof liveLogs>;

/**
 * Live logs of robots. Stored records are read once for all viewers of a robot on this replica, and so arrive in the
 * order of the store.
 */
export function liveLogs({ db, logReading, log, follows, textOf }: LiveLogsSettings) {
  const feeds = new Map<string, ReturnType<typeof begin>>(); // by robot

  const showing = (record: LogRecord): SerializedRecord => {
    let text: string | undefined;
    return {
      record,
      get text() {
        return (text ??= textOf(record));
      },
    };
  };

  const storedLogs = (orgId: string, robotId: string): StoredLogs => {
    const read = <Page>(
      query: LogQuery,
      page: (reader: ReturnType<typeof logReader>, head: LogMark) => Promise<Page>,
    ) =>
      readLogRows({ db, ...logReading }, async (rows) =>
        page(logReader(rows, { orgId, robotId }, query), await newestMark(rows.db, orgId, robotId)),
      );
    return {
      latest: (query, before) =>
        read(query, async (reader, head) => {
          const { records, next } = await reader.latest(before);
          return { records: records.map(showing), head, before: next === undefined ? undefined : decodePosition(next) };
        }),
      following: (query, after) =>
        read(query, async (reader, head) => {
          const { records, next } = await reader.following(trusted(after));
          const atMs = records.at(-1)?.receivedAtMs ?? after.atMs;
          const reached = next === undefined ? head : { seq: decodeSeq(next), atMs };
          return { records: records.map(showing), reached, head };
        }),
    };
  };

  function begin(orgId: string, robotId: string, stored: StoredLogs) {
    const feed = createFeed(stored, (error) => log.warn({ err: error, orgId, robotId }, 'live logs could not be read'));
    return { group: feed.group, unfollow: follows.follow(orgId, robotId, feed.wake), readers: 0 };
  }

  return {
    /** The number of a robot's newest record; 0 if there is none. */
    head: async (orgId: string, robotId: string): Promise<number> =>
      (await readLogRows({ db, ...logReading }, (rows) => newestMark(rows.db, orgId, robotId))).seq,

    /** Starts sending a robot's records to a sink; the returned function stops it. */
    open(orgId: string, robotId: string, request: TailRequest, sink: Sink): () => void {
      const stored = storedLogs(orgId, robotId);
      const feed = feeds.get(robotId) ?? begin(orgId, robotId, stored);
      feeds.set(robotId, feed);
      feed.readers += 1;
      const end = openTail(stored, feed.group, request, sink);
      return () => {
        end();
        feed.readers -= 1;
        if (feed.readers > 0) return;
        feed.unfollow();
        feeds.delete(robotId);
      };
    },
  };
}
