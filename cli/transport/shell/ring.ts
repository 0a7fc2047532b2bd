/** Bytes that were sent together, and their tag. Not Buffers: web pages use this too. */
interface Piece {
  bytes: Uint8Array;
  /** As it was given to `push`. */
  tag: number | undefined;
}

/** What one side of a shell has sent and may have to send again. Offsets count its bytes since the shell began. */
interface SendRing {
  /** The number of bytes pushed. */
  readonly sent: number;
  /** The number of bytes that are not needed again. */
  readonly acked: number;
  /** Nothing more should be pushed until some bytes are acknowledged. */
  readonly isFull: boolean;
  /**
   * Keeps the bytes; the caller must not change the buffer afterwards. `tag` marks them, such as with their output;
   * default none.
   */
  push(bytes: Uint8Array, tag?: number): void;
  /**
   * Discards everything before the offset. Returns false and changes nothing for an offset beyond what was sent. An
   * offset before `acked` changes nothing.
   */
  ackTo(offset: number): boolean;
  /**
   * The bytes from the offset on, in one piece of at most `maxBytes`; undefined at the end. @throws RangeError for an
   * offset that is not kept
   */
  next(offset: number, maxBytes: number): Piece | undefined;
  /** All pieces from the offset on, in order. @throws RangeError for an offset that is not kept */
  from(offset: number): Piece[];
}

/** Consecutive bytes of one tag, with room for more. */
interface Kept {
  room: Uint8Array;
  start: number;
  end: number;
  tag: number | undefined;
}

/**
 * Pieces of one tag are joined up to this size. Otherwise each typed key would cost a hundred times its byte. Terminals
 * are read in 4 KiB.
 */
const joinBytes = 32 * 1024;
/** The approximate overhead of a piece. */
const pieceBytes = 128;
/** The largest piece that still fits while `isFull` is false; sockets and terminals are read in no larger pieces. */
const maxPieceBytes = 64 * 1024;

/** A ring of `maxBytes`; both sides of a shell use 1 MiB. */
export function sendRing(maxBytes = 1024 * 1024): SendRing {
  let pieces: Kept[] = [];
  let sent = 0;
  let acked = 0;

  function next(offset: number, maxPiece: number): Piece | undefined {
    if (offset < acked || offset > sent)
      throw new RangeError(`${offset} is not stored; stored are ${acked} to ${sent}`);
    // The offset is usually near the end.
    let begin = sent;
    for (let index = pieces.length - 1; index >= 0; index -= 1) {
      const piece = pieces[index];
      if (!piece) break;
      begin -= piece.end - piece.start;
      if (begin > offset) continue;
      const start = piece.start + offset - begin;
      const bytes = piece.room.subarray(start, Math.min(piece.end, start + maxPiece));
      return bytes.length === 0 ? undefined : { bytes, tag: piece.tag };
    }
    return undefined;
  }

  return {
    get sent() {
      return sent;
    },
    get acked() {
      return acked;
    },
    get isFull() {
      return sent - acked + pieces.length * pieceBytes > maxBytes - maxPieceBytes;
    },
    push(bytes, tag) {
      if (bytes.length === 0) return;
      sent += bytes.length;
      const last = pieces.at(-1);
      if (last?.tag !== tag || !last || last.end - last.start + bytes.length > joinBytes)
        return void pieces.push({ room: bytes, start: 0, end: bytes.length, tag });
      if (last.end + bytes.length > last.room.length) makeRoom(last, bytes.length);
      last.room.set(bytes, last.end);
      last.end += bytes.length;
    },
    ackTo(offset) {
      if (!(offset <= sent)) return false;
      let dropped = 0;
      while (acked < offset) {
        const piece = pieces[dropped];
        if (!piece) break;
        const bytes = Math.min(piece.end - piece.start, offset - acked);
        acked += bytes;
        piece.start += bytes;
        if (piece.start === piece.end) dropped += 1;
      }
      if (dropped > 0) pieces = pieces.slice(dropped);
      return true;
    },
    next,
    from(offset) {
      const found: Piece[] = [];
      let at = offset;
      for (let piece = next(at, Infinity); piece; piece = next(at, Infinity)) {
        found.push(piece);
        at += piece.bytes.length;
      }
      return found;
    },
  };
}

/**
 * Allocates twice the needed size, so that a byte is copied at most twice while a piece grows. Slices of the old room
 * stay unchanged.
 */
function makeRoom(piece: Kept, more: number): void {
  const bytes = piece.end - piece.start;
  const room = new Uint8Array(Math.min(joinBytes, 2 * (bytes + more)));
  room.set(piece.room.subarray(piece.start, piece.end));
  Object.assign(piece, { room, start: 0, end: bytes });
}
