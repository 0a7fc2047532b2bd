import { spawn, type ChildProcess } from 'node:child_process';
import { backoffMs } from '../../transport/backoff.ts';
import { isolatedStdio } from '../shell/isolated-stdio.ts';
import { abortableSleep, type Source } from './source.ts';

interface ChildSettings {
  command: string;
  args(): readonly string[];
  /** The complete environment. */
  environment: Readonly<Record<string, string>>;
  /** Called for each child once it runs; resolves when its output has ended. */
  read(child: ChildProcess): Promise<void>;
  /** Called when the child ended and will be restarted; `isWell`: it exited with 0. */
  onEnd(how: string, waitMs: number, isWell: boolean): void;
  /** Called when the child has run for 10 s. */
  onRunning(): void;
}

/** After a run this long, the backoff starts again. */
const stableAfterMs = 60_000;
const runningAfterMs = 10_000;
/** How long the child may take to end after SIGTERM. */
const endWithinMs = 2_000;

/** A child process that is restarted whenever it ends, with a backoff. It and its own children end with the agent. */
export function restartingChild({ command, args, environment, read, onEnd, onRunning }: ChildSettings): Source {
  const pause = abortableSleep();
  let child: ChildProcess | undefined;

  async function runOnce(): Promise<{ how: string; isWell: boolean }> {
    const own = spawn(command, args(), {
      detached: true,
      stdio: isolatedStdio('ignore', 'pipe', 'pipe'),
      env: { ...environment },
    });
    child = own;
    const timer = setTimeout(onRunning, runningAfterMs);
    const ended = new Promise<string>((resolve) => {
      own.on('error', (error) => resolve(notStarted(error)));
      own.on('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with ${code ?? 0}`));
    });
    await read(own);
    const how = await ended;
    clearTimeout(timer);
    return { how, isWell: own.exitCode === 0 };
  }

  const ended = (async () => {
    let waits = backoffMs();
    while (!pause.isOver()) {
      const began = performance.now();
      // When the system refuses a process, for example for lack of memory, `spawn` throws instead of emitting an event.
      const { how, isWell } = await runOnce().catch((error: unknown) => ({ how: notStarted(error), isWell: false }));
      child = undefined;
      if (pause.isOver()) return;
      if (performance.now() - began >= stableAfterMs) waits = backoffMs();
      const waitMs = waits.next().value;
      onEnd(how, waitMs, isWell);
      await pause.for(waitMs);
    }
  })();

  return {
    async stop() {
      pause.end();
      const own = child;
      endGroup(own, 'SIGTERM');
      const timer = setTimeout(() => {
        endGroup(own, 'SIGKILL');
        // Another process may hold the other end of its output.
        own?.stdout?.destroy();
        own?.stderr?.destroy();
      }, endWithinMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

const notStarted = (error: unknown) => `cannot be started: ${error instanceof Error ? error.message : String(error)}`;

/** Signals the child and its descendants that have not left its group. */
function endGroup(child: ChildProcess | undefined, signal: NodeJS.Signals): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has ended.
  }
}
