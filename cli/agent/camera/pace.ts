/** Of pictures that have not left the socket: the next is not older than these take. */
const maxUnsent = 2;
/** What is under way when the rate is told; so short a wait is none. */
const slackMs = 1;
/** So much later than it was due a picture may come without delaying the next one. */
const lateMs = 50;

/** Sends the newest picture, as often as wanted and no more often than the other side takes them. What is behind that is left out. */
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
    // From when it was due: a source whose pictures come a little late is not slowed down by that.
    dueMs = Math.max(dueMs, nowMs - Math.min(everyMs, lateMs)) + everyMs;
    send(jpeg, () => {
      unsent -= 1;
      go();
    });
  }

  return {
    /** In place of one that was not sent yet. */
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

/** The service ends a camera that sends more than 120 a second. */
const maxPerSecond = 100;

const intervalOf = (perSecond: number | null) => 1000 / Math.min(perSecond ?? maxPerSecond, maxPerSecond);
