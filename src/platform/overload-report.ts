import type { Logger } from 'pino';

/** Time over which refusals are summed up, in ms. */
const sumMs = 10_000;

/** Counts each refused request, and logs how many there were in the 10 s after the first. */
export function overloadReport({ log, onRefused }: { log: Logger; onRefused(priority: string): void }) {
  let refused: Record<string, number> | undefined;

  function tell(): void {
    log.warn({ refused }, 'overloaded: requests are refused');
    refused = undefined;
  }

  return (priority: string): void => {
    onRefused(priority);
    if (!refused) setTimeout(tell, sumMs).unref();
    refused ??= {};
    refused[priority] = (refused[priority] ?? 0) + 1;
  };
}
