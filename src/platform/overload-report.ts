import type { Logger } from 'pino';

/** Minimum time between two log lines about an overload. */
const tellAgainMs = 10_000;

/** Counts each refused request, and logs how many there were since the last line. */
export function overloadReport({ log, onRefused }: { log: Logger; onRefused(priority: string): void }) {
  let toldAtMs = -Infinity;
  let refused: Record<string, number> = {};
  return (priority: string): void => {
    onRefused(priority);
    refused[priority] = (refused[priority] ?? 0) + 1;
    if (performance.now() - toldAtMs < tellAgainMs) return;
    log.warn({ refused }, 'overloaded: requests are refused');
    toldAtMs = performance.now();
    refused = {};
  };
}
