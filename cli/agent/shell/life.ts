import { outputDrain } from './drain.ts';
import { endLeftovers, sendSignal, signalSession } from './processes.ts';
import { killAfterMs, type ProgramEnd } from './program.ts';

interface LifeSettings {
  /** When so long nothing came after its end, all has come. */
  quietMs: number;
  /** Whatever its session holds is ended with it. */
  killsAll: boolean;
  /** The process that leads its session; 0 while it is not there. */
  leader(): number;
  /** A process of ours between it and us, which ends with it; undefined also for one that could not be started. */
  helper?: number | undefined;
  /** All was read. */
  close(): void;
  ended(end: ProgramEnd): void;
}

/**
 * How a program ends, by itself or by us. States: running → ended (its output may still come, while it is read) → over.
 */
export interface ProgramLife {
  /** Zero once it has ended: its number may be somebody else's then. */
  readonly leader: number;
  readonly isOver: boolean;
  exited(end: ProgramEnd): void;
  /** Nothing more comes, for sure. */
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

/** What Node says of a child that ended. */
export const endOf = (code: number | null, signal: NodeJS.Signals | null): ProgramEnd =>
  signal === null ? { code: code ?? 0 } : { signal };
