/** Lets `perSecond` pass on average, and `burst` at once. */
export interface TokenBucket {
  take(): boolean;
  /** 0 if one may pass now. */
  msUntilNext(): number;
}

/** `now` is in ms and never goes back; default: the monotonic clock. The bucket starts full. */
export function tokenBucket(
  perSecond: number,
  burst: number,
  now: () => number = () => performance.now(),
): TokenBucket {
  let tokens = burst;
  let at = now();
  const refill = () => {
    const instant = now();
    tokens = Math.min(burst, tokens + ((instant - at) / 1000) * perSecond);
    at = instant;
  };
  return {
    take() {
      refill();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
    msUntilNext() {
      refill();
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / perSecond) * 1000);
    },
  };
}
