import type { LogRecord } from '../spool/record.ts';
import type { Source, SourceContext } from '../sources/source.ts';
import { cutMessage, cutName, smallFields } from '../logs/parse.ts';
import type { RosSource } from './source.ts';

const topic = '/rosout';
/** The levels of rosgraph_msgs/Log and of rcl_interfaces/Log. */
const levels: Partial<Record<number, LogRecord['level']>> = {
  1: 'debug',
  2: 'info',
  4: 'warn',
  8: 'error',
  16: 'fatal',
  10: 'debug',
  20: 'info',
  30: 'warn',
  40: 'error',
  50: 'fatal',
};
/** Simulated time begins at 0. */
const leastSeconds = 1_000_000_000;
/** A `Date` holds no more. */
const mostMs = 8.64e15;

/**
 * The logs of a graph's nodes, as logs of `rosout:<node>`. All nodes share one rate: a node that floods displaces the
 * others.
 */
export function rosoutLog(graph: RosSource, { intake, troubles }: Pick<SourceContext, 'intake' | 'troubles'>): Source {
  const trouble = `rosout ${graph.url}`;
  const end = graph.subscribe(topic, {
    message(_type, message, receivedMs) {
      troubles.over(trouble, `${graph.url} is read again`);
      intake.offer('rosout', () => recordOf(message, receivedMs));
    },
    status(level, message) {
      if (level === 'warn') troubles.is(trouble, message);
      else if (message.includes('again')) troubles.over(trouble, message);
    },
  });
  return {
    async stop() {
      end();
    },
  };
}

/** A bridge may send anything: fields may be missing, or have any type and length. */
function recordOf(message: unknown, receivedMs: number): LogRecord {
  const { level, name, msg, file, line, header, stamp, function: caller } = objectOf(message);
  const { message: text, isLong } = cutMessage(textOf(msg));
  const node = cutName(textOf(name));
  const place = typeof file === 'string' && file !== '' ? smallFields({ file, line, function: caller }) : undefined;
  return {
    ts: new Date(timeOf(stamp ?? objectOf(header)['stamp']) ?? receivedMs).toISOString(),
    level: levels[Number(level)] ?? 'info',
    source: `rosout:${node.startsWith('/') ? node : `/${node}`}`,
    message: text,
    ...(isLong && { truncated: true }),
    ...(place && { fields: place }),
  };
}

const objectOf = (value: unknown): Partial<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? value : {};
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** In ms since 1970; undefined if missing or out of range. */
function timeOf(stamp: unknown): number | undefined {
  const { sec, secs, nsec, nsecs, nanosec } = objectOf(stamp);
  const seconds = Number(sec ?? secs ?? 0);
  const ms = seconds * 1000 + Math.floor(Number(nsec ?? nsecs ?? nanosec ?? 0) / 1e6);
  return seconds >= leastSeconds && ms >= 0 && ms <= mostMs ? ms : undefined;
}
