import type { LogRecord } from '../spool/record.ts';
import type { Source, SourceContext } from '../sources/source.ts';
import { cutMessage } from '../logs/parse.ts';
import type { RosSource } from './source.ts';

const topic = '/rosout';
/** Of rosgraph_msgs/Log, and of rcl_interfaces/Log. */
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
/** Time in a simulation begins at 0. */
const leastSeconds = 1_000_000_000;

/** What the nodes of a graph log, as logs of `rosout:<node>`. One node that floods costs the others their place: they share one rate. */
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

function recordOf(message: unknown, receivedMs: number): LogRecord {
  const { level, name, msg, file, line, header, stamp, ...rest } = message as Record<string, unknown>;
  const { message: text, isLong } = cutMessage(String(msg));
  const at = timeOf(stamp ?? (header as Record<string, unknown> | undefined)?.['stamp']);
  const node = String(name);
  const place = typeof file === 'string' && file !== '' ? { file, line, function: rest['function'] } : undefined;
  return {
    ts: new Date(at ?? receivedMs).toISOString(),
    level: levels[Number(level)] ?? 'info',
    source: `rosout:${node.startsWith('/') ? node : `/${node}`}`,
    message: text,
    ...(isLong && { truncated: true }),
    ...(place && { fields: place }),
  };
}

/** In ms since 1970; undefined for none. */
function timeOf(stamp: unknown): number | undefined {
  const { sec, secs, nsec, nsecs, nanosec } = (stamp ?? {}) as Partial<Record<string, number>>;
  const seconds = sec ?? secs ?? 0;
  return seconds >= leastSeconds ? seconds * 1000 + Math.floor((nsec ?? nsecs ?? nanosec ?? 0) / 1e6) : undefined;
}
