import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { withoutSecrets } from './secrets.ts';

/** The agent under test, in its own process group. */
export interface AgentUnderTest {
  /** How it ended; undefined while it runs. */
  ended(): { code: number | null; signal: NodeJS.Signals | null } | undefined;
  /** The last part of its output, without tokens and keys. */
  said(): string;
  /** The number of bytes that it wrote. */
  saidBytes(): number;
  /** Writes a log line to its standard input. */
  write(line: string): void;
  signal(name: NodeJS.Signals): void;
  /** Ends the group, and kills it if it does not end gracefully. */
  end(): Promise<void>;
}

const politeMs = 2_000;
const keptBytes = 8_000;
/** The kept output may begin in the middle of a key, so this many characters of it are left out. */
const untoldCharacters = 200;

/** Runs a command line in a shell; `own` receives the process group. */
export function startSubject(
  line: string,
  environment: Record<string, string>,
  own: (leader: number) => void,
): AgentUnderTest {
  const child = spawn('/bin/sh', ['-c', line], { env: environment, stdio: 'pipe', detached: true });
  if (child.pid !== undefined) own(child.pid);
  let last = Buffer.alloc(0);
  let bytes = 0;
  let ended: ReturnType<AgentUnderTest['ended']>;
  // Some agents write endlessly: discarded output is not even decoded.
  const hear = (chunk: Buffer) => {
    bytes += chunk.length;
    last = Buffer.concat([last, chunk].map((each) => each.subarray(-keptBytes))).subarray(-keptBytes);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  // An agent that ends before it reads its input is not an error here.
  child.stdin.on('error', () => undefined);
  const closed = once(child, 'exit').then(([code, signal]) => {
    ended = { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // No process is left in the group.
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
      // A child that was not found may hold them open, and keep this process running.
      for (const stream of child.stdio) stream?.destroy();
    },
  };
}
