import { closeCodes } from '../../../generated/protocol.js';
import { StreamError } from '../errors.ts';

/** Input in its order, at the pace of the receiver. */
interface Turns {
  /** Resolves when more may follow. `put` returns false to wait for `go`. Rejects after the end. */
  take(bytes: Uint8Array, put: (piece: Uint8Array) => boolean): Promise<void>;
  /** Runs after all earlier input. */
  last(act: () => void): Promise<void>;
  go(): void;
  /** Accepts no more input. */
  end(): void;
}

/** The service accepts 64 KiB per frame from a viewer. */
const maxPieceBytes = 32 * 1024;

export function orderedInput(): Turns {
  let before = Promise.resolve();
  let room = Promise.resolve();
  let go: () => void = () => undefined;
  let isOver = false;

  async function pour(bytes: Uint8Array, put: (piece: Uint8Array) => boolean): Promise<void> {
    for (let at = 0; at < bytes.length; at += maxPieceBytes) {
      if (isOver) throw new StreamError('the shell has ended', closeCodes.ended, 'ended');
      if (!put(bytes.subarray(at, at + maxPieceBytes))) room = new Promise((resolve) => (go = resolve));
      await room;
    }
  }
  function inTurn(act: () => Promise<void>): Promise<void> {
    const done = before.then(act);
    // A caller that does not await its turn ignores the error.
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
