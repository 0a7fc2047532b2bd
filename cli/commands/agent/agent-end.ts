import { reportRunning } from '../../agent/update/supervisor-ipc.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { endOnInterrupt } from '../../command-line/interrupt.ts';

/** What asks this agent to end. */
interface EndOfAgent {
  /** The exit code. */
  stopped: Promise<number>;
  /** Asks it; who asked first is heard. */
  stop(code: number): void;
  /** Leaves the signals to others. */
  forget(): void;
}

/** The first signal asks for an end in order, as does the end of a supervisor; the second signal does not wait for it. */
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

/** As if nobody had listened to the signal: an exit would wait for what a disk was asked, for ever where that hangs. */
export function endBy(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
