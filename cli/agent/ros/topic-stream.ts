import { closeCodes } from '../../../generated/protocol.js';
import { watcherFrames, type Rate, type TopicGap } from '../../../generated/media.js';
import { tokenBucket } from '../logs/token-bucket.ts';
import type { StreamListener, StreamSocket } from '../streams/socket.ts';
import type { TopicFeed } from './feed.ts';
import { pace } from './pace.ts';

/** The robot's programs need its processor more: messages beyond this rate are dropped and counted. */
const mostPerSecond = 500;
const gapEveryMs = 1_000;

/**
 * The dialled-back socket of a topic. Messages that the other side does not take in time are dropped, and so are
 * messages beyond the rate. A gap frame reports each in its place.
 */
export function topicStream(feed: TopicFeed, perSecond: number | null, socketOf: () => StreamSocket): StreamListener {
  const rate = pace(perSecond);
  const bucket = tokenBucket(mostPerSecond, mostPerSecond);
  const dropped = { slow_consumer: 0, rate_limit: 0 };
  const timer = setInterval(tellDropped, gapEveryMs);
  // The socket does not exist before this function returns.
  let leave: (() => void) | undefined;
  let isClosed = false;
  queueMicrotask(() => {
    if (!isClosed)
      leave = feed.add({ wants, record: (text) => socketOf().send(text), status: (text) => socketOf().send(text) });
  });

  function wants(): boolean {
    if (!rate.take()) return false;
    if (socketOf().isCongested) dropped.slow_consumer += 1;
    else if (!bucket.take()) dropped.rate_limit += 1;
    else {
      if (dropped.slow_consumer > 0) tellDropped();
      return true;
    }
    return false;
  }

  function tellDropped(): void {
    if (isClosed || socketOf().isCongested) return;
    for (const reason of ['slow_consumer', 'rate_limit'] as const) {
      const count = dropped[reason];
      if (count === 0) continue;
      dropped[reason] = 0;
      const why =
        reason === 'rate_limit' ? `more than ${mostPerSecond} messages per second arrived` : 'the connection is slow';
      const gap: TopicGap = {
        type: 'gap',
        ts: new Date().toISOString(),
        level: 'warn',
        message: `${count} ${count === 1 ? 'message' : 'messages'} skipped: ${why}`,
        dropped: count,
        reason,
      };
      socketOf().send(JSON.stringify(gap));
    }
  }

  return {
    message(data, isBinary) {
      const frame = isBinary ? undefined : rateOf(data.toString('utf8'));
      if (frame === 'broken') socketOf().close(closeCodes.policy, 'an invalid frame');
      else if (frame) rate.set(frame.per_second);
    },
    eased: tellDropped,
    closed() {
      isClosed = true;
      clearInterval(timer);
      leave?.();
    },
  };
}

/** Undefined for other frames, such as those of a later version. */
function rateOf(text: string): Rate | 'broken' | undefined {
  try {
    const frame = JSON.parse(text) as { type?: unknown } | null;
    if (frame?.type !== 'rate') return undefined;
    return watcherFrames.rate(frame) ? (frame as Rate) : 'broken';
  } catch {
    return 'broken';
  }
}
