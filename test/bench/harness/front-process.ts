/** One process of a wide front. Its arguments are the ports; it is sent the server that it shall take connections of, over IPC. */
import type { Server } from 'node:net';
import { relay } from './front.ts';

const front = relay(process.argv.slice(2).map(Number));
process.on('message', (_message, server: Server) => {
  server.on('connection', front.take);
  process.send?.('listening');
});
