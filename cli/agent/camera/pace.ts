/** Maximum number of pictures still in the socket: the next one is no older than these take to send. */
const maxUnsent = 2;
/** A wait this short is not worth a timer. It covers a picture under way when the rate is set. */
const slackMs = 1;
/** A picture may be this late without delaying the next one. */
const lateMs = 50;

/**
 * Sends the newest picture at the wanted rate, and no faster than the other side takes them. Older pictures are
 * skipped.
 */
export function pictureSender(send: (jpeg: Buffer, sent: () => void) => void, perSecond: number | null) {
  let everyMs = intervalOf(perSecond);
  let dueMs = 0;
  let unsent = 0;
  let next: Buffer | undefined;
  let timer: NodeJS.Timeout | undefined;

  function go(): void {
    if (!next || unsent >= maxUnsent || timer) return;
    const nowMs = performance.now();
    if (dueMs - nowMs > slackMs) {
      timer = setTimeout(() => {
        timer = undefined;
        go();
      }, dueMs - nowMs);
      return;
    }
    const jpeg = next;
    next = undefined;
    unsent += 1;
    // From the due time: a source whose pictures are a little late is not slowed down.
    dueMs = Math.max(dueMs, nowMs - Math.min(everyMs, lateMs)) + everyMs;
    send(jpeg, () => {
      unsent -= 1;
      go();
    });
  }

  return {
    /** Replaces a picture that was not sent yet. */
    offer(jpeg: Buffer): void {
      next = jpeg;
      go();
    },
    pace(wanted: number | null): void {
      const nextEveryMs = intervalOf(wanted);
      dueMs += nextEveryMs - everyMs;
      everyMs = nextEveryMs;
      clearTimeout(timer);
      timer = undefined;
      go();
    },
    end(): void {
      next = undefined;
      clearTimeout(timer);
    },
  };
}

/** The service disconnects a camera that sends more than 120 pictures per second. */
const maxPerSecond = 100;

const intervalOf = (perSecond: number | null) => 1000 / Math.min(perSecond ?? maxPerSecond, maxPerSecond);
