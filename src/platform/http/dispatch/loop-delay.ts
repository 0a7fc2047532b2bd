/** Interval of the measurement, in ms. */
const everyMs = 20;

export type MeasureLoopDelay = typeof createLoopDelay;

/**
 * How late the event loop is: a request waits about as long in the kernel before this process sees it. Measured only
 * while requests arrive, so that an idle process does not wake up for it. `onMeasured`: called with each measurement.
 */
export function createLoopDelay(onMeasured: (lateMs: number) => void, nowMs: () => number) {
  let isMeasuring = false;
  let hasRequests = false;

  function measure(): void {
    const expectedAt = nowMs() + everyMs;
    setTimeout(() => {
      onMeasured(Math.max(0, nowMs() - expectedAt));
      isMeasuring = hasRequests;
      hasRequests = false;
      if (isMeasuring) measure();
    }, everyMs).unref();
  }

  return {
    noteRequest(): void {
      hasRequests = true;
      if (isMeasuring) return;
      isMeasuring = true;
      measure();
    },
  };
}
