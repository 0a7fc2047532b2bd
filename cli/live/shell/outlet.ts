import { fstatSync, writev } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Output } from '../../transport/shell/resumable-session.ts';

interface OutletSettings {
  /** So many bytes were passed on. */
  onWritten(bytes: number): void;
  /** It accepts no more: its reader closed it, or the disk is full. */
  onFailed(error: NodeJS.ErrnoException): void;
}

type Writer = (pieces: readonly Buffer[]) => Promise<void>;

/** Maximum per write. */
const maxPieces = 512;
/** Retry interval for a terminal that another program made non-blocking. */
const againMs = 5;

/** Writes bytes to stdout and stderr in order, at the pace of their readers. */
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
        // Without stderr only its output is lost; without stdout the shell ends.
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
    /** Resolves when everything is written. Rejects if it cannot be. */
    async drained(): Promise<void> {
      while (running) await running;
      if (failure) throw failure;
    },
  };
}

/**
 * Node's writes to a terminal block the event loop: pings would go unanswered behind a stalled terminal. A file system
 * write blocks only a thread of its own. On a pipe it may block for ever and hold the process, but there Node's own
 * writes do not block.
 */
function writerOf(to: Output): Writer {
  const kind = fstatSync(to);
  return kind.isFIFO() || kind.isSocket() ? intoPipe(to === 1 ? process.stdout : process.stderr) : intoFile(to);
}

function intoPipe(stream: Writable): Writer {
  stream.on('error', () => undefined); // each write reports it too
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

/** The rest of the pieces after so many bytes. */
function after(pieces: readonly Buffer[], written: number): Buffer[] {
  let at = 0;
  return pieces.flatMap((piece) => {
    const start = Math.max(0, written - at);
    at += piece.length;
    return start < piece.length ? [piece.subarray(start)] : [];
  });
}
