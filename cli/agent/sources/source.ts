import type { Intake } from '../logs/intake.ts';
import type { Spool } from '../spool/spool.ts';
import type { Troubles } from '../troubles.ts';

/** Something that writes logs on the robot. */
export interface Source {
  /** Resolves when it knows where it begins: what is written from then on is taken. Default: at once. */
  begun?: Promise<unknown>;
  /** Resolves when nothing more comes from it. */
  stop(): Promise<void>;
}

export interface SourceContext {
  intake: Intake;
  spool: Pick<Spool, 'positionOf' | 'note'>;
  /** A message of the agent's own. */
  tell(message: string): void;
  troubles: Troubles;
}

/** The waits of one loop, which end at once when it is to end. */
interface Pauses {
  isOver(): boolean;
  for(ms: number): Promise<void>;
  end(): void;
}

export function pauses(): Pauses {
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
