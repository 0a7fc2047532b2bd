import { closeCodes } from '../../../generated/protocol.js';
import { StreamError } from '../errors.ts';

/** Input in the order in which it was given, at the pace at which it is taken. */
interface Turns {
  /** Resolves when more may come. `put` says so by true; it waits for `go` else. Rejects once it is over. */
  take(bytes: Uint8Array, put: (piece: Uint8Array) => boolean): Promise<void>;
  /** After all that was taken. */
  last(act: () => void): Promise<void>;
  go(): void;
  /** Nothing is taken any more. */
  end(): void;
}

/** The service takes 64 KiB of a viewer in one frame. */
const maxPieceBytes = 32 * 1024;

export function turnsOf(): Turns {
  let before = Promise.resolve();
  let room = Promise.resolve();
  let go: () => void = () => undefined;
  let isOver = false;

  async function pour(bytes: Uint8Array, put: (piece: Uint8Array) => boolean): Promise<void> {
    for (let at = 0; at < bytes.length; at += maxPieceBytes) {
      if (isOver) throw new StreamError('the shell is over', closeCodes.ended, 'ended');
      if (!put(bytes.subarray(at, at + maxPieceBytes))) room = new Promise((resolve) => (go = resolve));
      await room;
    }
  }
  function inTurn(act: () => Promise<void>): Promise<void> {
    const done = before.then(act);
    // Whoever does not wait for his turn does not want to hear of it.
    before = done.catch(() => undefined);
    return done;
  }
  return {
    take: (bytes, put) => inTurn(() => pour(bytes, put)),
    last: (act) => inTurn(async () => act()),
    go: () => go(),
    end() {
      isOver = true;
      go();
    },
  };
}
