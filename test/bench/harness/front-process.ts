/** One process of a wide front. Its arguments are the ports; it is sent the sockets that it serves over IPC. */
import type { Socket } from 'node:net';
import { relay } from './front.ts';

const front = relay(process.argv.slice(2).map(Number));
process.on('message', (_message, near: Socket | undefined) => {
  if (near) front.take(near);
});
