import { constants } from 'node:os';

/**
 * Resolves with the first SIGTERM or SIGINT, which asks for a graceful stop; the second ends the process at once.
 * Process 1 of a container gets no signal before this is called.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const each of ['SIGTERM', 'SIGINT'] as const)
      process.on(each, (signal) => {
        if (isStopping) endBy(signal);
        isStopping = true;
        resolve(signal);
      });
  });
}

/** Ends by the default action of the signal. The kernel spares process 1, which exits with the code of that instead. */
export function endBy(signal: NodeJS.Signals): never {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  process.exit(128 + constants.signals[signal]);
}
