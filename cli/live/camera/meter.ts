/** Figures are those of so long a time. */
const overMs = 3_000;

/** Counts pictures: how many come, how large they are, and how old the last one is. `now` in ms, never going back. */
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
    /** Each by second; the age in seconds, undefined before the first. */
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
