/**
 * Whether what comes comes regularly. Only then silence says something where no ping is seen: another connection begins anew at the robot, and what rarely comes
 * might come in between.
 */
export function rhythmOf(silentSeconds: number) {
  let lastMs = -Infinity;
  let isRegular = false;
  return {
    isRegular: () => isRegular,
    /** Another connection. */
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
