import { WebSocketServer, type WebSocket } from 'ws';

/** Closing handshakes that take longer are cut off. */
export const closeTimeoutMs = 5_000;

interface SocketServerSettings {
  maxFrameBytes: number;
  /** Subprotocols that are spoken; default none. One that was offered beside them is not named in the answer: it may hold a secret. */
  protocols?: readonly string[];
  /** What its sockets are; default WebSocket. */
  socketClass?: typeof WebSocket;
}

/** What makes WebSockets of upgrades that were let in; it has no listener of its own. */
export const socketServer = ({ maxFrameBytes, protocols = [], socketClass }: SocketServerSettings): WebSocketServer =>
  new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    maxFragments: 1_024,
    maxBufferedChunks: 4_096,
    handleProtocols: (offered) => protocols.find((name) => offered.has(name)) ?? false,
    ...(socketClass && { WebSocket: socketClass }),
    ...{ closeTimeout: closeTimeoutMs }, // unknown to the types
  });
