import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** The agent under test: a process group of its own. */
export interface Subject {
  /** How it ended; undefined while it runs. */
  ended(): { code: number | null; signal: NodeJS.Signals | null } | undefined;
  /** The last of what it wrote. */
  said(): string;
  /** A line of its log: on its standard input. */
  write(line: string): void;
  signal(name: NodeJS.Signals): void;
  /** Ends the group, at once where it does not end in order. */
  end(): Promise<void>;
}

const politeMs = 2_000;
const keptCharacters = 4_000;
/** Those of the agents that run. */
const kills = new Set<() => void>();
const killAll = () => kills.forEach((kill) => kill());

/** Runs a line of the shell. */
export function startSubject(line: string, environment: Record<string, string>): Subject {
  const child = spawn('/bin/sh', ['-c', line], { env: environment, stdio: 'pipe', detached: true });
  let said = '';
  let ended: ReturnType<Subject['ended']>;
  const hear = (chunk: Buffer) => (said = (said + chunk.toString()).slice(-keptCharacters));
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  // Who ended before it read its input is no failure of ours.
  child.stdin.on('error', () => undefined);
  const closed = once(child, 'exit').then(([code, signal]) => {
    ended = { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // Nobody is left in the group.
    }
  };
  // Ctrl-C ends this process at once; its group is not that of the terminal.
  const kill = () => signal('SIGKILL');
  if (kills.size === 0) process.on('exit', killAll);
  kills.add(kill);
  void closed.then(() => {
    kills.delete(kill);
    if (kills.size === 0) process.off('exit', killAll);
  });
  return {
    ended: () => ended,
    said: () => said,
    write: (text) => void child.stdin.write(`${text}\n`),
    signal,
    async end() {
      signal('SIGTERM');
      await Promise.race([closed, pause(politeMs, undefined, { ref: false })]);
      kill();
      await closed;
    },
  };
}
