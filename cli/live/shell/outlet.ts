import { fstatSync, writev } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Output } from '../../transport/shell/resumable-session.ts';

interface OutletSettings {
  /** So many bytes are out of our hands. */
  onWritten(bytes: number): void;
  /** It takes no more: its reader has gone, or the disk is full. */
  onFailed(error: NodeJS.ErrnoException): void;
}

type Writer = (pieces: readonly Buffer[]) => Promise<void>;

/** Written in one go at most. */
const maxPieces = 512;
/** A terminal that another program made non-blocking is asked again so soon. */
const againMs = 5;

/** Writes bytes to stdout and stderr in the order in which they came, at the pace of who reads them. */
export function outlet({ onWritten, onFailed }: OutletSettings) {
  let queue: { to: Output; bytes: Buffer }[] = [];
  let running: Promise<void> | undefined;
  let failure: NodeJS.ErrnoException | undefined;
  const writers: Partial<Record<Output, Writer>> = {};

  async function run(): Promise<void> {
    while (queue.length > 0 && !failure) {
      const to = queue[0]?.to ?? 1;
      const other = queue.findIndex((piece) => piece.to !== to);
      const count = Math.min(other === -1 ? queue.length : other, maxPieces);
      const pieces = queue.slice(0, count).map(({ bytes }) => bytes);
      queue = queue.slice(count);
      const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
      try {
        await (writers[to] ??= writerOf(to))(pieces);
      } catch (error) {
        // Who closed stderr wants no errors; who closed stdout wants nothing.
        if (to === 1) return fail(error as NodeJS.ErrnoException);
      }
      onWritten(bytes);
    }
  }

  function fail(error: NodeJS.ErrnoException): void {
    failure = error;
    queue = [];
    onFailed(error);
  }

  return {
    write(to: Output, bytes: Buffer): void {
      if (failure || bytes.length === 0) return;
      queue.push({ to, bytes });
      running ??= run().finally(() => (running = undefined));
    },
    /** Resolves when all of it is out. Rejects where it cannot be. */
    async drained(): Promise<void> {
      while (running) await running;
      if (failure) throw failure;
    },
  };
}

/**
 * Node writes to a terminal while everything else waits: pings would go unanswered behind a terminal that takes nothing. A write of the file system
 * waits in a thread of its own; one to a pipe may wait for ever, which would keep the process, and there Node does not wait.
 */
function writerOf(to: Output): Writer {
  const kind = fstatSync(to);
  return kind.isFIFO() || kind.isSocket() ? intoPipe(to === 1 ? process.stdout : process.stderr) : intoFile(to);
}

function intoPipe(stream: Writable): Writer {
  stream.on('error', () => undefined); // each write tells it too
  return (pieces) =>
    new Promise((resolve, reject) => {
      let left = pieces.length;
      const done = (error: Error | null | undefined) => {
        left -= 1;
        if (error) reject(error);
        else if (left === 0) resolve();
      };
      stream.cork();
      for (const piece of pieces) stream.write(piece, done);
      stream.uncork();
    });
}

const intoFile =
  (descriptor: Output): Writer =>
  async (pieces) => {
    for (let rest = [...pieces]; rest.length > 0;) rest = after(rest, await writeSome(descriptor, rest));
  };

function writeSome(descriptor: Output, pieces: readonly Buffer[]): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(descriptor, pieces, (error, written) => {
      if (!error) resolve(written);
      else if (error.code === 'EAGAIN') setTimeout(() => resolve(0), againMs);
      else reject(error);
    });
  });
}

/** What is left when so many bytes of the pieces were written. */
function after(pieces: readonly Buffer[], written: number): Buffer[] {
  let at = 0;
  return pieces.flatMap((piece) => {
    const start = Math.max(0, written - at);
    at += piece.length;
    return start < piece.length ? [piece.subarray(start)] : [];
  });
}
