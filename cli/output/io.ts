import type { Readable, Writable } from 'node:stream';
import { paint, type Tone } from './colour.ts';

/** One output stream; colour and width are decided for each by itself, since one may be a file while the other is a terminal. */
export interface Sink {
  write(chunk: string | Buffer): void;
  tty: boolean;
  /** Width of the terminal; 80 where it is not known. */
  columns: number;
  paint(text: string, tone: Tone): string;
}

export interface Io {
  /** Data. */
  out: Sink;
  /** Messages, hints and errors. */
  err: Sink;
  input: Readable;
  /** A line on stderr. */
  note(line: string): void;
  /** A line on stderr that only people want: nothing is written unless both outputs are terminals. */
  aside(line: string): void;
}

/** `colour`: true and false decide for both streams, undefined leaves it to whether the stream is a terminal. */
export function processIo(colour: boolean | undefined): Io {
  const out = sink(process.stdout, colour);
  const err = sink(process.stderr, colour);
  return {
    out,
    err,
    input: process.stdin,
    note: (line) => err.write(`${line}\n`),
    aside: (line) => {
      if (out.tty && err.tty) err.write(`${line}\n`);
    },
  };
}

function sink(stream: Writable & { isTTY?: boolean; columns?: number }, colour: boolean | undefined): Sink {
  const tty = stream.isTTY === true;
  const coloured = colour ?? tty;
  return {
    write: (chunk) => void stream.write(chunk),
    tty,
    columns: stream.columns ?? 80,
    paint: (text, tone) => (coloured ? paint(text, tone) : text),
  };
}

/** All of stdin. */
export async function readAll(input: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}
