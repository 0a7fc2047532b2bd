import type { Intake } from '../logs/intake.ts';
import type { Spool } from '../spool/spool.ts';
import type { Troubles } from '../troubles.ts';

/** A source of logs on the robot. */
export interface Source {
  /** Resolves when the source knows its position: everything written from then on is taken. Default: at once. */
  begun?: Promise<unknown>;
  /** Resolves when the source writes nothing more. */
  stop(): Promise<void>;
}

export interface SourceContext {
  intake: Intake;
  spool: Pick<Spool, 'positionOf' | 'note'>;
  /** Writes a message of the agent. */
  tell(message: string): void;
  troubles: Troubles;
}

/** The waits of one loop; they end at once when the loop is to end. */
interface Pauses {
  isOver(): boolean;
  for(ms: number): Promise<void>;
  end(): void;
}

export function abortableSleep(): Pauses {
  let isOver = false;
  let wake: (() => void) | undefined;
  return {
    isOver: () => isOver,
    for: (ms) =>
      new Promise((resolve) => {
        if (isOver) return resolve();
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    end() {
      isOver = true;
      wake?.();
    },
  };
}
