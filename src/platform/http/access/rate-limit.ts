/** The remaining allowance of a caller. */
interface Allowance {
  allowed: boolean;
  remaining: number;
  resetSeconds: number; // until the bucket is full again
  retryAfterSeconds: number; // until one more call is allowed; 0 if this one was
}

interface Bucket {
  level: number;
  filledAtMs: number;
}

const maxBuckets = 50_000;

/**
 * One token bucket per key: `perSecond` calls per second, bursts of `burst`. In memory and per replica: a limit
 * protects this process. Memory is bounded: beyond the maximum the oldest bucket is dropped, which can only favour its
 * caller.
 */
export function rateLimiter(
  perSecond: number,
  burst: number,
  nowMs: () => number = () => performance.now(),
): (key: string) => Allowance {
  const buckets = new Map<string, Bucket>();

  return (key) => {
    const now = nowMs();
    let bucket = buckets.get(key);
    if (!bucket) {
      if (buckets.size >= maxBuckets) buckets.delete(buckets.keys().next().value ?? ''); // Map keeps insertion order
      bucket = { level: burst, filledAtMs: now };
      buckets.set(key, bucket);
    }
    bucket.level = Math.min(burst, bucket.level + ((now - bucket.filledAtMs) / 1_000) * perSecond);
    bucket.filledAtMs = now;
    const allowed = bucket.level >= 1;
    if (allowed) bucket.level -= 1;
    return {
      allowed,
      remaining: Math.floor(bucket.level),
      resetSeconds: Math.ceil((burst - bucket.level) / perSecond),
      retryAfterSeconds: allowed ? 0 : Math.ceil((1 - bucket.level) / perSecond),
    };
  };
}
