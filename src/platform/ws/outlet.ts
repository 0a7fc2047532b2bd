import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

/** Destination of frames that many sockets receive identically. */
export interface Outlet {
  readonly isOpen: boolean;
  /** Bytes written but not yet flushed. */
  readonly waitingBytes: number;
  write(frame: PreparedFrame, onTaken: () => void): void;
}

/** The bytes of a frame, header first. */
export interface PreparedFrame {
  parts: readonly Buffer[];
  bytes: number;
}

/** Up to this size, one copy is cheaper than two writes to each socket. */
const maxCopiedBytes = 16_384;

/**
 * Header and payload of an unmasked frame, as a server sends it (RFC 6455 §5.2). It is built once and written unchanged
 * to each socket. This saves each socket the header, its own queue and a second write.
 */
export function preparedFrame(payload: Buffer, isBinary: boolean): PreparedFrame {
  const { length } = payload;
  const headerBytes = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const header = Buffer.allocUnsafe(headerBytes);
  header[0] = 0x80 | (isBinary ? 2 : 1); // FIN, and the opcode
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

/**
 * `wire` is the connection of `socket`, which must not compress: compressed frames would wait in the socket's own queue
 * and interleave with these.
 */
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
