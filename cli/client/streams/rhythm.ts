/**
 * Whether messages arrive regularly. Without pings, only then does silence mean a lost network. A reconnect restarts
 * the stream at the robot, and a rare message might fall in between.
 */
export function rhythmOf(silentSeconds: number) {
  let lastMs = -Infinity;
  let isRegular = false;
  return {
    isRegular: () => isRegular,
    /** Called for each new connection. */
    begin(): void {
      lastMs = -Infinity;
      isRegular = false;
    },
    beat(): void {
      const nowMs = performance.now();
      isRegular = nowMs - lastMs < silentSeconds * 1000;
      lastMs = nowMs;
    },
  };
}
