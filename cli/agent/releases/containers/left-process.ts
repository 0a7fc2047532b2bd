import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, markOf, type ProcessMark } from '../../../files/process-mark.ts';
import { signalGroup } from '../../orders/command.ts';
import { Stopped, type OrderContext } from '../../orders/handler.ts';

/** How long a process left by a crashed agent may still take. */
const endWithinMs = 60_000;
const lookEveryMs = 50;

/**
 * Tracks engine processes that change something: they may survive a crash of the agent, and two at once would conflict.
 */
export function leftProcess({ notes, save, stopping }: OrderContext) {
  const name = 'process';
  return {
    remember: (pid: number): void =>
      void markOf(pid)
        .then((mark) => {
          notes[name] = mark;
          return save();
        })
        // If the write fails, the next start does not know the process. The engine itself prevents two changes at once.
        .catch(() => undefined),
    /** Resolves once the process left by a crash has exited, by itself or by SIGKILL. Throws Stopped. */
    async ended(): Promise<void> {
      const mark = notes[name] as ProcessMark | undefined;
      if (!mark) return;
      for (const untilMs = performance.now() + endWithinMs; await isAlive(mark); await pause(lookEveryMs)) {
        if (stopping.aborted) throw new Stopped();
        if (performance.now() > untilMs) signalGroup(mark.pid, 'SIGKILL');
      }
    },
  };
}
