import type { components } from '../../../generated/api.d.ts';
import { drain, follow } from './follow.ts';
import { queueOf } from './queue.ts';
import { fieldsOf, type StreamConnector } from './stream-connector.ts';

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

/** Who is so many records behind gets the others once he has read these: they are stored, and asked for again. */
const maxWaiting = 5_000;
const fewWaiting = 500;

/** Stored and live records joined, without a gap and without a double, over every loss of the connection. */
export function logs(
  door: StreamConnector,
  robotId: string,
  options: LogOptions = {},
): AsyncGenerator<LogRecord | LogGap, void> {
  const { signal, tail, since, ...filter } = options;
  const queue = queueOf<LogRecord | LogGap>();
  let position = options.after;
  let isBehind = false;

  async function open() {
    // Who is shown nothing at first is to miss nothing that comes while the first connection is lost.
    if (position === undefined && (tail ?? 0) === 0 && since === undefined) position = await door.newestSeq(robotId);
    const begin = position === undefined ? { tail, since } : {};
    return door.open(robotId, 'logs', 'logs/ws', { ...filter, ...begin, after: position });
  }

  return drain(
    queue,
    (over) =>
      follow({
        open,
        silentSeconds: door.silentSeconds,
        queue,
        onMessage(data) {
          const fields = fieldsOf(data);
          const seq = fields?.['to_seq'] ?? fields?.['seq'];
          if (typeof seq !== 'number') return;
          position = seq;
          // What is numbered is one of the two.
          queue.put(fields as unknown as LogRecord | LogGap);
        },
        isBehind: () => (isBehind = queue.size > (isBehind ? fewWaiting : maxWaiting)),
        signal: over,
      }),
    signal,
  );
}
