import { reportRunning } from '../../agent/update/supervisor-ipc.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { endOnInterrupt } from '../../command-line/interrupt.ts';

/** Requests to stop this agent. */
interface EndOfAgent {
  /** Resolves with the exit code. */
  stopped: Promise<number>;
  /** Requests a stop; the first request wins. */
  stop(code: number): void;
  /** Removes the signal handlers. */
  forget(): void;
}

/**
 * The first signal, or the end of the supervisor, requests an orderly stop. The second signal ends the process at once.
 */
export function endOfAgent(isSupervised: boolean): EndOfAgent {
  process.off('SIGINT', endOnInterrupt);
  let stop: (code: number) => void = () => undefined;
  const stopped = new Promise<number>((resolve) => (stop = resolve));
  let isAsked = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (isAsked) endBy(signal);
    isAsked = true;
    stop(exitCode.ok);
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  if (isSupervised) reportRunning(() => stop(exitCode.ok));
  return { stopped, stop, forget: () => void process.off('SIGTERM', onSignal).off('SIGINT', onSignal) };
}

/**
 * Ends as if the signal had no handler. A normal exit waits for pending disk operations, for ever if the disk hangs.
 */
export function endBy(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
