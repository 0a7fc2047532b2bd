import type { ChildProcess } from 'node:child_process';
import { pagerEnvironment } from '../command-line/config.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { endOnInterrupt } from '../command-line/interrupt.ts';
import type { Sink } from '../command-line/io.ts';

/** Output that is buffered until it is longer than the screen, and then goes through a pager. */
interface Paged {
  out: Sink;
  /** Writes the buffered output, or waits until the user leaves the pager. */
  end(): Promise<void>;
}

/**
 * `command` is a program with its arguments, quoted as in a shell if they contain spaces. If it cannot start, all
 * output is written directly. `atEnd`: less begins at the last line, for a log. A user who leaves the pager before the output is complete ends the process, with 0.
 */
export function paged(screen: Sink, command: string, atEnd = false): Paged {
  let kept: string[] = [];
  let rows = 0;
  let started: Promise<ChildProcess | undefined> | undefined;
  let sink = (text: string): void => void kept.push(text);

  function write(chunk: string | Buffer): void {
    const text = chunk.toString();
    sink(text);
    if (started) return;
    rows += rowsOf(text, screen.columns);
    // The last row is for the prompt.
    if (rows >= screen.rows) started = start();
  }

  async function start(): Promise<ChildProcess | undefined> {
    // Errors of process creation, such as out of memory, are thrown.
    const child = await spawned(command, atEnd).catch(() => undefined);
    const input = child?.stdin;
    sink = input ? (text) => void input.write(text) : (text) => screen.write(text);
    for (const text of kept) sink(text);
    kept = [];
    return child;
  }

  return {
    out: { ...screen, write },
    async end() {
      if (!started) {
        screen.write(kept.join(''));
        return;
      }
      const child = await started;
      if (!child) return;
      child.off('close', endReading);
      child.stdin?.end();
      if (child.exitCode === null && child.signalCode === null)
        await new Promise((resolve) => child.once('close', resolve));
      process.off('SIGINT', leaveToPager).once('SIGINT', endOnInterrupt);
    },
  };
}

/**
 * Undefined if there is no such program; may reject if it cannot start for another reason. From here on the pager
 * handles Ctrl-C.
 */
async function spawned(command: string, atEnd: boolean): Promise<ChildProcess | undefined> {
  const { spawn } = await import('node:child_process');
  const [program = '', ...args] = wordsOf(command);
  if (atEnd && /(^|\/)less$/.test(program)) args.push('+G');
  const child = spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'], env: pagerEnvironment() });
  return new Promise((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('spawn', () => {
      process.off('SIGINT', endOnInterrupt).on('SIGINT', leaveToPager);
      // A pager closes its input when the user leaves it.
      child.stdin.on('error', () => undefined);
      child.once('close', endReading);
      resolve(child);
    });
  });
}

const endReading = () => process.exit(exitCode.ok);
const leaveToPager = () => undefined;

function wordsOf(command: string): string[] {
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

/** Terminal rows of the text. Colours and wide characters count as text: starting the pager too early does no harm. */
function rowsOf(text: string, columns: number): number {
  const lines = text.split('\n');
  return lines.slice(0, -1).reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / columns)), 0);
}
