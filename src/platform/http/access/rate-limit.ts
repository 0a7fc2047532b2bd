/** What a caller has left. */
interface Allowance {
  allowed: boolean;
  remaining: number;
  resetSeconds: number; // until the bucket is full again
  retryAfterSeconds: number; // until one more call is allowed; 0 when this one was
}

interface Bucket {
  level: number;
  filledAtMs: number;
}

const maxBuckets = 50_000;

/**
 * A token bucket for each key: `perSecond` calls a second, bursts of `burst`. In memory, one set a replica: a limit protects this process.
 * Memory is bounded: once there are too many, the one that was made first is forgotten, which can only be to its caller's favour.
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
      if (buckets.size >= maxBuckets) buckets.delete(buckets.keys().next().value ?? ''); // Map keeps the order of insertion
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
