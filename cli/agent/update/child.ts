import { spawn, type ChildProcess } from 'node:child_process';
import type { RunningMessage } from './supervisor-ipc.ts';

interface ChildSettings {
  file: string;
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** Keeps the last stderr output for the case of a failure, and still passes it on. */
  keepsTail: boolean;
  /** Called when the child is the robot's agent. */
  onRunning(): void;
}

export interface ChildEnd {
  code: number | undefined;
  signal: NodeJS.Signals | undefined;
  /** How it ended, in words. */
  how: string;
  /** The last lines of stderr. */
  tail: string[];
  /** It was killed because it did not pass its probation in time. */
  hung?: boolean;
}

export interface Child {
  /** Undefined if it could not be started. */
  pid: number | undefined;
  /** Never rejects. */
  ended: Promise<ChildEnd>;
  /** Closes the IPC channel, which requests a graceful exit. */
  disconnect(): void;
  kill(signal: NodeJS.Signals): void;
}

const tailLines = 20;
const maxTailBytes = 16 * 1024;
/** Processes that the child started may hold its stderr open. */
const outputWithinMs = 500;

/** Starts an agent as a child of this process, with its outputs and an IPC channel (supervisor-ipc.ts). */
export function startChild(settings: ChildSettings): Child {
  try {
    return follow(spawnAgent(settings), settings);
  } catch (error) {
    // Some start errors are thrown at once: no memory, too many arguments.
    const how = `it could not be started: ${error instanceof Error ? error.message : String(error)}`;
    const ended = Promise.resolve({ code: undefined, signal: undefined, how, tail: [] });
    return { pid: undefined, ended, disconnect: () => undefined, kill: () => undefined };
  }
}

const spawnAgent = ({ file, args, environment, keepsTail }: ChildSettings): ChildProcess =>
  spawn(process.execPath, [...process.execArgv, file, ...args], {
    stdio: ['inherit', 'inherit', keepsTail ? 'pipe' : 'inherit', 'ipc'],
    env: environment,
  });

function follow(child: ChildProcess, { onRunning }: ChildSettings): Child {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text = (text + chunk).slice(-maxTailBytes)));
  child.stderr?.pipe(process.stderr, { end: false });
  child.on('message', (message) => {
    if ((message as Partial<RunningMessage> | null)?.type === 'running') onRunning();
  });
  const ended = new Promise<ChildEnd>((resolve) => {
    const endWith = (code: number | null, signal: NodeJS.Signals | null, how: string) => {
      const tail = text.split('\n').map((line) => line.trimEnd());
      resolve({
        code: code ?? undefined,
        signal: signal ?? undefined,
        how,
        tail: tail.filter((line) => line !== '').slice(-tailLines),
      });
    };
    child.on('error', (error) => endWith(null, null, `it could not be started: ${error.message}`));
    child.on('exit', (code, signal) => {
      const how = signal ? `it was ended by ${signal}` : `it exited with ${code ?? 0}`;
      const late = setTimeout(() => endWith(code, signal, how), outputWithinMs);
      child.on('close', () => {
        clearTimeout(late);
        endWith(code, signal, how);
      });
    });
  });
  return {
    pid: child.pid,
    ended,
    disconnect() {
      if (child.connected) child.disconnect();
    },
    kill: (signal) => void child.kill(signal),
  };
}
