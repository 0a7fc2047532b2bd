/** The period of the averages. */
const overMs = 3_000;

/** Measures the rate, the size and the age of pictures. `now` in ms, monotonic. */
export function pictureMeter(now: () => number = () => performance.now()) {
  let recent: { atMs: number; bytes: number }[] = [];
  let beganMs: number | undefined;
  let latestMs: number | undefined;
  return {
    count(bytes: number): void {
      latestMs = now();
      beganMs ??= latestMs;
      recent.push({ atMs: latestMs, bytes });
    },
    /** Rates per second; the age in seconds, undefined before the first picture. */
    read(): { perSecond: number; bytesPerSecond: number; ageSeconds: number | undefined } {
      const nowMs = now();
      recent = recent.filter(({ atMs }) => nowMs - atMs < overMs);
      const seconds = Math.max(1_000, Math.min(overMs, nowMs - (beganMs ?? nowMs))) / 1000;
      return {
        perSecond: recent.length / seconds,
        bytesPerSecond: recent.reduce((sum, { bytes }) => sum + bytes, 0) / seconds,
        ageSeconds: latestMs === undefined ? undefined : (nowMs - latestMs) / 1000,
      };
    },
  };
}
