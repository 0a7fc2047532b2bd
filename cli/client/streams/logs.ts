import type { components } from '../../../generated/api.d.ts';
import { drain } from './drain.ts';
import { follow, type FollowOptions } from './follow.ts';
import { fieldsOf, textOf } from './frames.ts';
import { queueOf } from './queue.ts';
import type { StreamConnector } from './stream-connector.ts';

export type LogRecord = components['schemas']['LogRecord'];

/** Records that were not sent, for the reader was too slow. They are stored, and can be read. */
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

/** Where live logs begin: behind a record, with so many stored ones, or with those received from a time on. Default: with what comes. */
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
  /** Records received from then on, RFC 3339. */
  since?: string;
  /** So many stored records first. Default 0. */
  tail?: number;
  /** Only records after this `seq`. */
  after?: number;
  /** Ends it in order. */
  signal?: AbortSignal;
}

interface LogFollow extends FollowOptions {
  filter: LogFilter;
  /** Asked before each connection until the place of one is known. */
  start(): LogStart | Promise<LogStart>;
  /** Where it gives a promise, no more is read until that resolves. `text`: the record as it came. */
  onRecord(record: LogRecord | LogGap, text: string): Promise<void> | undefined;
  isBehind?: () => boolean;
}

/** Joins what was stored with what comes, without a gap and without a double, over every loss of the connection; see `follow`. */
export function followLogs(connector: StreamConnector, robotId: string, settings: LogFollow): Promise<void> {
  const { filter, start, onRecord, ...options } = settings;
  let position: number | undefined;
  return follow({
    ...options,
    silentSeconds: connector.silentSeconds,
    async open() {
      const from = position === undefined ? await start() : { after: position };
      position = from.after;
      const opened = await connector.open(robotId, 'logs', { ...filter, ...from });
      // What comes while a quiet robot's first connection is lost is behind this one.
      position ??= opened.newestSeq;
      return opened;
    },
    onMessage(data) {
      const text = textOf(data);
      const fields = fieldsOf(text);
      const seq = fields?.['to_seq'] ?? fields?.['seq'];
      if (typeof seq !== 'number') return undefined;
      position = seq;
      // What is numbered is one of the two.
      return onRecord(fields as unknown as LogRecord | LogGap, text);
    },
  });
}

/** A reader who is so many records behind gets the others once he has read these: they are stored, and asked for again. */
const maxWaiting = 5_000;
const fewWaiting = 500;

/** The same, record by record. `newestSeq`: of the records that are stored. */
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
        // A reader who is shown nothing at first is to miss nothing that comes while the first connection is lost.
        async start() {
          if (after !== undefined) return { after };
          return (tail ?? 0) === 0 && since === undefined ? { after: await newestSeq() } : { tail, since };
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
