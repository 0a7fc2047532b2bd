import { spawn, type ChildProcess } from 'node:child_process';
import { backoffMs } from '../../transport/backoff.ts';
import { shielded } from '../shell/descriptors.ts';
import { pauses, type Source } from './source.ts';

interface ChildSettings {
  command: string;
  args(): readonly string[];
  /** All of its environment. */
  environment: Readonly<Record<string, string>>;
  /** Called for each child once it runs; resolves when its output ended. */
  read(child: ChildProcess): Promise<void>;
  /** Called when it ended and will be started again; `isWell` with 0. */
  onEnd(how: string, waitMs: number, isWell: boolean): void;
  /** Called when it has run for 10 s. */
  onRunning(): void;
}

/** A child that lived so long makes the next end a new trouble. */
const stableAfterMs = 60_000;
const runningAfterMs = 10_000;
/** How long it may take to end after SIGTERM. */
const endWithinMs = 2_000;

/** A child process that is started again whenever it ends, with a backoff. It and its own children end with the agent. */
export function keptChild({ command, args, environment, read, onEnd, onRunning }: ChildSettings): Source {
  const pause = pauses();
  let child: ChildProcess | undefined;

  async function runOnce(): Promise<{ how: string; isWell: boolean }> {
    const own = spawn(command, args(), {
      detached: true,
      stdio: shielded('ignore', 'pipe', 'pipe'),
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
      // What the system refuses a process for, as a lack of memory, is thrown instead of told by an event.
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
        // Somebody else may hold the other end of its output.
        own?.stdout?.destroy();
        own?.stderr?.destroy();
      }, endWithinMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

const notStarted = (error: unknown) => `cannot be started: ${error instanceof Error ? error.message : String(error)}`;

/** The child with all that it started and that did not leave its group. */
function endGroup(child: ChildProcess | undefined, signal: NodeJS.Signals): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}
