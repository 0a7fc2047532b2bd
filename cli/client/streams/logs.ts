import type { components } from '../../../generated/api.d.ts';
import { drain } from './drain.ts';
import { follow, isRetryable, type FollowOptions } from './follow.ts';
import { fieldsOf, textOf } from './frames.ts';
import { queueOf } from './queue.ts';
import type { StreamConnector } from './stream-connector.ts';

export type LogRecord = components['schemas']['LogRecord'];

/** Records that were not sent because the reader was too slow. They are stored, and can be read. */
export interface LogGap {
  type: 'gap';
  ts: string;
  level: string;
  source: string;
  message: string;
  dropped: number;
  from_seq: number;
  to_seq: number;
  reason: string;
}

interface LogFilter {
  level?: string | undefined;
  source?: string | undefined;
  q?: string | undefined;
}

/**
 * Where live logs begin: after a record, with a number of stored ones, or at a receive time. Default: with new records.
 */
export interface LogStart {
  after?: number | undefined;
  tail?: number | undefined;
  since?: string | undefined;
}

/** Which records; see `/api/robots/{id}/logs/ws` in `/asyncapi.json`. */
export interface LogOptions {
  level?: LogRecord['level'];
  source?: string;
  q?: string;
  /** Only records received from this time on, RFC 3339. */
  since?: string;
  /** Number of stored records to send first. Default 0. */
  tail?: number;
  /** Only records after this `seq`. */
  after?: number;
  /** Ends the stream in order. */
  signal?: AbortSignal;
}

interface LogFollow extends FollowOptions {
  filter: LogFilter;
  /** Called before each connection until a position is known. */
  start(): LogStart | Promise<LogStart>;
  /**
   * Returns the record after which to start instead, if the stream cannot be opened now: `tail` would later leave out
   * older ones of the records that are stored meanwhile. Default: `start` decides again.
   */
  startLater?: (() => Promise<number>) | undefined;
  /** If it returns a promise, reading pauses until that resolves. `text`: the record as received. */
  onRecord(record: LogRecord | LogGap, text: string): Promise<void> | undefined;
  isBehind?: () => boolean;
}

/** Joins stored and live records without gaps or duplicates, across disconnects; see `follow`. */
export function followLogs(connector: StreamConnector, robotId: string, settings: LogFollow): Promise<void> {
  const { filter, start, startLater, onRecord, ...options } = settings;
  let position: number | undefined;
  return follow({
    ...options,
    silentSeconds: connector.silentSeconds,
    async open() {
      const from = position === undefined ? await start() : { after: position };
      position = from.after;
      const opened = await connector.open(robotId, 'logs', { ...filter, ...from }).catch(async (error: unknown) => {
        if (isRetryable(error)) position ??= await startLater?.().catch(() => undefined);
        throw error;
      });
      // If a quiet robot's first connection is lost, the records meanwhile come after this one. Stored records that are
      // still due would be skipped: they are requested again.
      if (!wantsStored(from) || opened.newestSeq === 0) position ??= opened.newestSeq;
      return opened;
    },
    onMessage(data) {
      const text = textOf(data);
      const fields = fieldsOf(text);
      const seq = fields?.['to_seq'] ?? fields?.['seq'];
      if (typeof seq !== 'number') return undefined;
      position = seq;
      // A frame with a number is one of the two.
      return onRecord(fields as unknown as LogRecord | LogGap, text);
    },
  });
}

const wantsStored = ({ tail = 0, since }: LogStart) => tail > 0 || since !== undefined;

/** A reader this many records behind reads these first. The others are stored, and are requested again. */
const maxWaiting = 5_000;
const fewWaiting = 500;

/** The same, record by record. `newestSeq` returns that of the stored records. */
export function logs(
  connector: StreamConnector,
  robotId: string,
  { signal, tail, since, after, ...filter }: LogOptions,
  newestSeq: () => Promise<number>,
): AsyncGenerator<LogRecord | LogGap, void> {
  const queue = queueOf<LogRecord | LogGap>();
  let isBehind = false;
  return drain(
    queue,
    (over) =>
      followLogs(connector, robotId, {
        filter,
        // A reader without stored records must not miss new ones if the first connection is lost.
        async start() {
          if (after !== undefined) return { after };
          return wantsStored({ tail, since }) ? { tail, since } : { after: await newestSeq() };
        },
        onRecord(record) {
          queue.put(record);
          return undefined;
        },
        isBehind: () => (isBehind = queue.size > (isBehind ? fewWaiting : maxWaiting)),
        signal: over,
      }),
    signal,
  );
}
