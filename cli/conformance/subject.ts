import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { withoutSecrets } from './secrets.ts';

/** The agent under test: a process group of its own. */
export interface Subject {
  /** How it ended; undefined while it runs. */
  ended(): { code: number | null; signal: NodeJS.Signals | null } | undefined;
  /** The last of what it wrote, without tokens and keys. */
  said(): string;
  /** How many bytes it wrote. */
  saidBytes(): number;
  /** A line of its log: on its standard input. */
  write(line: string): void;
  signal(name: NodeJS.Signals): void;
  /** Ends the group, at once where it does not end in order. */
  end(): Promise<void>;
}

const politeMs = 2_000;
const keptBytes = 8_000;
/** What it was cut from may end in the middle of a key: so much of its beginning is not told. */
const untoldCharacters = 200;

/** Runs a line of the shell; `own` is told the process group. */
export function startSubject(
  line: string,
  environment: Record<string, string>,
  own: (leader: number) => void,
): Subject {
  const child = spawn('/bin/sh', ['-c', line], { env: environment, stdio: 'pipe', detached: true });
  if (child.pid !== undefined) own(child.pid);
  let last = Buffer.alloc(0);
  let bytes = 0;
  let ended: ReturnType<Subject['ended']>;
  // Some agents write without end: what is not told is not even read as text.
  const hear = (chunk: Buffer) => {
    bytes += chunk.length;
    last = Buffer.concat([last, chunk].map((each) => each.subarray(-keptBytes))).subarray(-keptBytes);
  };
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
  return {
    ended: () => ended,
    said: () => withoutSecrets(last.toString('utf8')).slice(bytes > keptBytes ? untoldCharacters : 0),
    saidBytes: () => bytes,
    write: (text) => void child.stdin.write(`${text}\n`),
    signal,
    async end() {
      signal('SIGTERM');
      await Promise.race([closed, pause(politeMs, undefined, { ref: false })]);
      signal('SIGKILL');
      await closed;
      // A child that nobody finds may hold them open, and with them this process.
      for (const stream of child.stdio) stream?.destroy();
    },
  };
}
