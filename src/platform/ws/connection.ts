import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

/** The TCP or TLS connection below an open WebSocket, which ws does not type. */
export const connectionOf = (socket: WebSocket): Socket => (socket as unknown as { _socket: Socket })._socket;
