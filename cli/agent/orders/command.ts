import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { lineSplitter } from '../logs/lines.ts';
import { isolatedStdio } from '../shell/isolated-stdio.ts';
import { withoutTokens } from './text.ts';

export interface CommandSettings {
  command: string;
  args: readonly string[];
  cwd?: string;
  /** The whole environment of the program. */
  environment: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Ends the program early. */
  signal: AbortSignal;
  /** How many bytes of stdout are kept unchanged. Default: 0. */
  outputBytes?: number;
  /** Called once the program runs. */
  onStarted?: (pid: number) => void;
  /**
   * Called with a stdout line. Returns true if the line is for the agent: then it is neither in the tail nor given to
   * `onLine`. Default: none is.
   */
  onMessage?: (line: string) => boolean;
  /** Called with each other line, without the secrets of tokens. */
  onLine(line: string): void;
}

export interface CommandEnd {
  how: 'exited' | 'timed_out' | 'stopped' | 'not_started';
  /** 0 for success; undefined if the program did not exit by itself. */
  code: number | undefined;
  /** How the program ended, in words. */
  text: string;
  /** The last lines of stdout and stderr. */
  tail: string[];
  /** The first `outputBytes` of its stdout. */
  output: string;
}

const tailLines = 20;
const maxLineBytes = 4 * 1024;
/** How long the program may take to exit after SIGTERM. */
const endWithinMs = 2_000;
/** How long processes that the program started may still write to its outputs. */
const outputWithinMs = 500;

/**
 * Runs a program to its end, in a process group of its own. On timeout or `signal`, the group gets SIGTERM, and SIGKILL
 * 2 s later. Processes that the program leaves when it exits by itself, such as a daemon, keep running. Never rejects.
 */
export async function runCommand(settings: CommandSettings): Promise<CommandEnd> {
  try {
    return await run(settings);
  } catch (error) {
    // Some start errors, such as a lack of memory, are thrown instead of emitted as an event.
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
      stdio: isolatedStdio('ignore', 'pipe', 'pipe'),
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
      // No process of an ended program may keep running.
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
    // Both are missing if no file descriptor is left for them; an error event follows.
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

/** Signals the process group of a program; does nothing if it has ended. */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is empty.
  }
}
