import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

/** Where frames go that many sockets get alike. */
export interface Outlet {
  readonly isOpen: boolean;
  /** What was written and is not taken yet. */
  readonly waitingBytes: number;
  write(frame: PreparedFrame, onTaken: () => void): void;
}

/** The bytes of a frame, header first. */
export interface PreparedFrame {
  parts: readonly Buffer[];
  bytes: number;
}

/** So much is cheaper copied once than written in two pieces to each socket. */
const maxCopiedBytes = 16_384;

/**
 * Header and payload of an unmasked frame, as a server sends them, RFC 6455 §5.2. It is made once and written to each socket as it is, which spares
 * each of them the header, its queue and a second write.
 */
export function preparedFrame(payload: Buffer, isBinary: boolean): PreparedFrame {
  const { length } = payload;
  const headerBytes = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const header = Buffer.allocUnsafe(headerBytes);
  header[0] = 0x80 | (isBinary ? 2 : 1); // final, and its kind
  if (headerBytes === 2) header[1] = length;
  else if (headerBytes === 4) {
    header[1] = 126;
    header.writeUInt16BE(length, 2);
  } else {
    header[1] = 127;
    header.writeBigUInt64BE(BigInt(length), 2);
  }
  const parts = length <= maxCopiedBytes ? [Buffer.concat([header, payload])] : [header, payload];
  return { parts, bytes: headerBytes + length };
}

/** `wire` is the connection of `socket`, which compresses nothing, or its frames would wait in a queue of its own and be mixed up with ours. */
export const outletOf = (socket: WebSocket, wire: Socket): Outlet => ({
  get isOpen() {
    return socket.readyState === socket.OPEN;
  },
  get waitingBytes() {
    return socket.bufferedAmount;
  },
  write({ parts: [first, second] }, onTaken) {
    if (!first) return;
    if (!second) return void wire.write(first, onTaken);
    wire.cork();
    wire.write(first);
    wire.write(second, onTaken);
    wire.uncork();
  },
});
