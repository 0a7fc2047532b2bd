import { outputDrain } from './drain.ts';
import { endLeftovers, sendSignal, signalSession } from './processes.ts';
import { killAfterMs, type ProgramEnd } from './program.ts';

interface LifeSettings {
  /** After the program ended, its output is complete when none has arrived for this long. */
  quietMs: number;
  /** Ends every process of the session with the program. */
  killsAll: boolean;
  /** The process that leads the session; 0 while there is none. */
  leader(): number;
  /**
   * A process of the agent between the program and the agent, which ends with the program; undefined also if it did not
   * start.
   */
  helper?: number | undefined;
  /** All output was read. */
  close(): void;
  ended(end: ProgramEnd): void;
}

/**
 * The end of a program, by itself or by the agent. States: running → ended (its output may still arrive, while it is
 * read) → over.
 */
export interface ProgramLife {
  /** 0 once the program has ended, since its pid may be reused. */
  readonly leader: number;
  readonly isOver: boolean;
  exited(end: ProgramEnd): void;
  /** No more output can arrive. */
  outputEnded(): void;
  came(bytes: number): void;
  paused(): void;
  resumed(): void;
  end(): void;
  kill(): void;
}

export function programLife({ quietMs, killsAll, leader, helper, close, ended: onEnded }: LifeSettings): ProgramLife {
  let ended: ProgramEnd | undefined;
  let isOver = false;
  let killer: NodeJS.Timeout | undefined;

  const over = () => {
    if (isOver) return;
    isOver = true;
    close();
    onEnded(ended ?? {});
  };
  const drain = outputDrain(quietMs, over);

  function send(signal: NodeJS.Signals): void {
    if (ended) return;
    const pid = leader();
    if (pid !== 0) signalSession(pid, signal, killsAll);
    if (helper !== undefined && (pid === 0 || signal === 'SIGKILL')) sendSignal(helper, signal);
  }

  return {
    get leader() {
      return ended ? 0 : leader();
    },
    get isOver() {
      return isOver;
    },
    exited(end) {
      if (ended) return;
      ended = end;
      clearTimeout(killer);
      const pid = leader();
      if (killsAll && pid !== 0) endLeftovers(pid);
      drain.begin();
    },
    outputEnded() {
      if (ended) over();
    },
    came: (bytes) => drain.came(bytes),
    paused: () => drain.pause(),
    resumed: () => drain.resume(),
    end() {
      if (ended || killer) return;
      send('SIGHUP');
      killer = setTimeout(() => send('SIGKILL'), killAfterMs);
    },
    kill: () => send('SIGKILL'),
  };
}

/** Converts the exit code and signal that Node reports. */
export const endOf = (code: number | null, signal: NodeJS.Signals | null): ProgramEnd =>
  signal === null ? { code: code ?? 0 } : { signal };
