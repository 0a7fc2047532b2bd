import { WebSocketServer, type WebSocket } from 'ws';

/** Timeout of a closing handshake. */
export const closeTimeoutMs = 5_000;

interface SocketServerSettings {
  maxFrameBytes: number;
  /**
   * Supported subprotocols; default none. Other offered subprotocols are not named in the response: they may contain a
   * secret.
   */
  protocols?: readonly string[];
  /** Class of its sockets; default WebSocket. */
  socketClass?: typeof WebSocket;
}

/** Creates WebSockets from accepted upgrades; it has no listener of its own. */
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
    ...{ closeTimeout: closeTimeoutMs }, // missing in the types
  });
