import type { Readable, Writable } from 'node:stream';
import { isatty, type ReadStream } from 'node:tty';
import { exitCode } from './exit-codes.ts';
import { paint, type Tone } from './colour.ts';

/** One output stream. Each has its own colour and width, because one may be a file and the other a terminal. */
export interface Sink {
  write(chunk: string | Buffer): void;
  /**
   * Resolves when it accepts more; undefined if it does now. A writer of endless output waits for it: a pager may pause
   * for hours.
   */
  full(): Promise<void> | undefined;
  tty: boolean;
  /** Current size of the terminal; 80 by 24 if unknown. */
  readonly columns: number;
  readonly rows: number;
  paint(text: string, tone: Tone): string;
  /** Called whenever the terminal is resized. */
  onResize(listener: () => void): void;
  /** Called whenever a write fails. Default: on stdout it ends the process, on stderr the text is lost. */
  onFailure(listener: (error: NodeJS.ErrnoException) => void): void;
}

export interface Io {
  /** Data. */
  out: Sink;
  /** Messages, hints and errors. */
  err: Sink;
  input: Readable;
  /** Whether a person reads both outputs and types the input, and so can be asked. */
  readonly canAsk: boolean;
  /** Writes a line to stderr. */
  note(line: string): void;
  /** Writes a line to stderr only if both outputs are terminals, because only people need it. */
  aside(line: string): void;
}

type Stream = Writable & { columns?: number; rows?: number };

interface OutputStream {
  isTerminal: boolean;
  /** Node's stream is created at first use: that takes a millisecond or two, which must not delay a request. */
  open(): Stream;
}

/** Input and outputs of a command line. */
export interface Streams {
  out: OutputStream;
  err: OutputStream;
  readonly input: Readable;
}

/** The streams of this process. */
export const processStreams: Streams = {
  out: { isTerminal: isatty(1), open: () => process.stdout },
  err: { isTerminal: isatty(2), open: () => process.stderr },
  get input() {
    return process.stdin;
  },
};

/** `colour`: true and false apply to both outputs; undefined colours terminals only. */
export function ioOf(streams: Streams, colour: boolean | undefined): Io {
  // A lost message must not end a command, and least of all the agent.
  const err = sink(streams.err, colour, () => undefined);
  const out = sink(streams.out, colour, (error) => {
    // A reader that closes early, such as `head`, is not a failure.
    if (error.code === 'EPIPE') process.exit(exitCode.ok);
    err.write(
      `${err.paint('Error:', 'bad')} cannot write to stdout: ${error.message}\n  Write the output to another place\n`,
    );
    process.exit(exitCode.error);
  });
  return {
    out,
    err,
    get input() {
      return streams.input;
    },
    get canAsk() {
      return out.tty && err.tty && (streams.input as Partial<ReadStream>).isTTY === true;
    },
    note: (line) => err.write(`${line}\n`),
    aside: (line) => {
      if (out.tty && err.tty) err.write(`${line}\n`);
    },
  };
}

type FailureListener = Parameters<Sink['onFailure']>[0];

function sink({ isTerminal: tty, open }: OutputStream, colour: boolean | undefined, failed: FailureListener): Sink {
  const coloured = colour ?? tty;
  let opened: Stream | undefined;
  let onFailure = failed;
  const stream = () => (opened ??= open().on('error', (error) => onFailure(error)));
  return {
    write: (chunk) => void stream().write(chunk),
    full: () =>
      stream().writableNeedDrain ? new Promise((resolve) => stream().once('drain', () => resolve())) : undefined,
    tty,
    get columns() {
      return stream().columns ?? 80;
    },
    get rows() {
      return stream().rows ?? 24;
    },
    paint: (text, tone) => (coloured ? paint(text, tone) : text),
    onResize: (listener) => void stream().on('resize', listener),
    onFailure: (listener) => void (onFailure = listener),
  };
}

/** Reads all of stdin. */
export async function readAll(input: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}
