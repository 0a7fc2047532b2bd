/** Bytes that were sent in one go, and what marks them. Not Buffers: pages keep them too. */
interface Piece {
  bytes: Uint8Array;
  /** As it was given to `push`. */
  tag: number | undefined;
}

/** What one side of a shell has sent and may have to send again: offsets count its bytes since the shell began. */
interface SendRing {
  /** Of all bytes that were pushed. */
  readonly sent: number;
  /** Of those that are not needed again. */
  readonly acked: number;
  /** No more shall be pushed until some are acknowledged. */
  readonly isFull: boolean;
  /** Keeps them; the buffer is not to be changed any more. `tag` marks them, as which output they are of; default none. */
  push(bytes: Uint8Array, tag?: number): void;
  /** Forgets what comes before. False for an offset beyond what was sent: nothing changes then; an older one than before changes nothing. */
  ackTo(offset: number): boolean;
  /** What begins there, in one piece of `maxBytes` at most; undefined at the end. @throws RangeError for what is not kept */
  next(offset: number, maxBytes: number): Piece | undefined;
  /** All that begins there, in order. @throws RangeError for what is not kept */
  from(offset: number): Piece[];
}

/** Bytes of one mark that came one after the other, with room for more of them. */
interface Kept {
  room: Uint8Array;
  start: number;
  end: number;
  tag: number | undefined;
}

/** Pieces of one mark are joined up to here: a key at a time would else cost a hundred times its byte, and terminals are read in 4 KiB. */
const joinBytes = 32 * 1024;
/** What a piece costs beside its bytes, about. */
const pieceBytes = 128;
/** The largest piece that still fits in when it says that it is not full; sockets and terminals are read in no larger ones. */
const maxPieceBytes = 64 * 1024;

/** Of `maxBytes`; 1 MiB is what both sides of a shell have. */
export function sendRing(maxBytes = 1024 * 1024): SendRing {
  let pieces: Kept[] = [];
  let sent = 0;
  let acked = 0;

  function next(offset: number, maxPiece: number): Piece | undefined {
    if (offset < acked || offset > sent) throw new RangeError(`${offset} is not kept, but ${acked} to ${sent}`);
    // Who asks is near the end as a rule.
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

/** Twice as much as is needed, so that a byte is copied twice at most as a piece grows. What was given out of the old room stays as it is. */
function makeRoom(piece: Kept, more: number): void {
  const bytes = piece.end - piece.start;
  const room = new Uint8Array(Math.min(joinBytes, 2 * (bytes + more)));
  room.set(piece.room.subarray(piece.start, piece.end));
  Object.assign(piece, { room, start: 0, end: bytes });
}
