import type { AddressInfo } from 'node:net';
import { WebSocket, type WebSocketServer } from 'ws';
import type { StreamConnector } from '../../cli/client/streams/stream-connector.ts';

/** Streams of a server other than the service: each is a socket with the robot's id as its path. */
export const connectorTo = (server: WebSocketServer): StreamConnector => ({
  silentSeconds: 30,
  open: async (robotId) => ({
    socket: new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/${robotId}`),
  }),
});
