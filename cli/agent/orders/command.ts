import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { lineSplitter } from '../logs/lines.ts';
import { shielded } from '../shell/descriptors.ts';
import { withoutTokens } from './text.ts';

export interface CommandSettings {
  command: string;
  args: readonly string[];
  cwd?: string;
  /** All of its environment. */
  environment: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Ends it early. */
  signal: AbortSignal;
  /** How much of its stdout is kept as it came; default: nothing. */
  outputBytes?: number;
  /** Called once it runs. */
  onStarted?: (pid: number) => void;
  /** A line of its standard output; true for one that is for the agent: it is neither in the tail nor given to `onLine`. Default: none is. */
  onMessage?: (line: string) => boolean;
  /** What else it writes, without the secrets of tokens. */
  onLine(line: string): void;
}

export interface CommandEnd {
  how: 'exited' | 'timed_out' | 'stopped' | 'not_started';
  /** 0 for success; undefined if it did not end by itself. */
  code: number | undefined;
  /** How it ended, in words. */
  text: string;
  /** The last lines that it wrote, on both of its outputs. */
  tail: string[];
  /** The first `outputBytes` of its stdout. */
  output: string;
}

const tailLines = 20;
const maxLineBytes = 4 * 1024;
/** How long it may take to end after SIGTERM. */
const endWithinMs = 2_000;
/** What it started may hold its outputs open, and has that long to fill them. */
const outputWithinMs = 500;

/**
 * Runs a program in a process group of its own, to its end. On time-out or `signal` the group gets SIGTERM, and SIGKILL 2 s later. What it
 * left running when it ended by itself, as a daemon, stays. Never rejects.
 */
export async function runCommand(settings: CommandSettings): Promise<CommandEnd> {
  try {
    return await run(settings);
  } catch (error) {
    // What the system refuses a process for, as a lack of memory, is thrown instead of told by an event.
    return { how: 'not_started', code: undefined, text: notStarted(error as Error), tail: [], output: '' };
  }
}

const notStarted = ({ message }: Error) => `it could not be started: ${message}`;

function run(settings: CommandSettings): Promise<CommandEnd> {
  const {
    command,
    args,
    cwd,
    environment,
    timeoutMs,
    signal,
    outputBytes = 0,
    onStarted,
    onMessage,
    onLine,
  } = settings;
  return new Promise((resolve) => {
    const tail: string[] = [];
    const output: Buffer[] = [];
    let keptBytes = 0;
    let how: CommandEnd['how'] = 'exited';
    let code: number | undefined;
    let text = '';
    let kill: NodeJS.Timeout | undefined;
    let lastOutput: NodeJS.Timeout | undefined;
    const child: ChildProcess = spawn(command, args, {
      detached: true,
      stdio: shielded('ignore', 'pipe', 'pipe'),
      env: { ...environment },
      ...(cwd !== undefined && { cwd }),
    });

    const end = (why: 'timed_out' | 'stopped') => () => {
      if (how !== 'exited' || child.exitCode !== null) return;
      how = why;
      signalGroup(child.pid, 'SIGTERM');
      kill = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), endWithinMs);
    };
    const limit = setTimeout(end('timed_out'), timeoutMs);
    const stop = end('stopped');
    signal.addEventListener('abort', stop);

    const closed = () => {
      clearTimeout(limit);
      clearTimeout(kill);
      clearTimeout(lastOutput);
      signal.removeEventListener('abort', stop);
      // Of what was ended nothing may go on.
      if (how === 'timed_out' || how === 'stopped') signalGroup(child.pid, 'SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve({ how, code, text, tail, output: Buffer.concat(output).toString('utf8') });
    };
    const take = (written: string) => {
      const line = withoutTokens(written);
      tail.push(line);
      if (tail.length > tailLines) tail.shift();
      onLine(line);
    };
    // Both are missing where no file descriptor is left for them; the error that says so comes then.
    if (child.stdout) readLines(child.stdout, (line) => onMessage?.(line) || take(line));
    if (child.stderr) readLines(child.stderr, take);
    child.stdout?.on('data', (chunk: Buffer) => {
      const kept = chunk.subarray(0, outputBytes - keptBytes);
      keptBytes += kept.length;
      if (kept.length > 0) output.push(kept);
    });
    child.on('error', (error) => {
      how = 'not_started';
      text = notStarted(error);
      closed();
    });
    child.on('exit', (exitCode, killedBy) => {
      code = how === 'exited' ? (exitCode ?? undefined) : undefined;
      if (how === 'timed_out') text = `it took longer than ${timeoutMs / 1000} s and was ended`;
      else if (how === 'stopped') text = 'it was ended with the agent';
      else text = killedBy ? `it was ended by ${killedBy}` : `it exited with ${exitCode ?? 0}`;
      lastOutput = setTimeout(closed, outputWithinMs);
    });
    child.on('close', closed);
    if (child.pid !== undefined) onStarted?.(child.pid);
    if (signal.aborted) stop();
  });
}

function readLines(stream: Readable, take: (line: string) => unknown): void {
  const lines = lineSplitter(maxLineBytes);
  const takeText = ({ text }: { text: string }) => {
    if (text !== '') take(text);
  };
  stream.on('data', (chunk: Buffer) => lines.push(chunk).forEach(takeText));
  stream.on('error', () => undefined);
  stream.on('end', () => {
    const rest = lines.rest();
    if (rest) takeText(rest);
  });
}

/** The group of a program; one that ended gets nothing. */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in it.
  }
}
