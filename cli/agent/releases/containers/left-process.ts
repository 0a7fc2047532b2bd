import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, markOf, type ProcessMark } from '../../../files/process-mark.ts';
import { signalGroup } from '../../orders/command.ts';
import { Stopped, type Task } from '../../orders/handler.ts';

/** How long one that a crashed agent left at work may still take. */
const endWithinMs = 60_000;
const lookEveryMs = 50;

/**
 * The processes of the engine that change something, by which a crash of the agent may be outlived: two of them at once would stand in each other's
 * way.
 */
export function leftProcess({ notes, save, stopping }: Task) {
  const name = 'process';
  return {
    remember: (pid: number): void =>
      void markOf(pid)
        .then((mark) => {
          notes[name] = mark;
          return save();
        })
        // Without a disk the next start does not know of it; the engine itself lets nobody do two things at once.
        .catch(() => undefined),
    /** Resolves once the one that was left has ended, by itself or by force. Throws Stopped. */
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
