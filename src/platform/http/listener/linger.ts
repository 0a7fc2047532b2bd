import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** Longest time in which a refused caller may send the rest of its body. */
const lingerMs = 5_000;

/**
 * Call it for each request with a body. When the connection ends with the response, Node destroys the socket. If the caller is still
 * sending, its next bytes cause a reset, and with that it can lose the response. So the rest is read and discarded first.
 */
export function lingerForBody(request: IncomingMessage): void {
  const { socket } = request;
  socket.destroySoon = () => {
    if (request.complete) return Socket.prototype.destroySoon.call(socket);
    socket.end();
    const late = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(late));
    request.once('end', () => socket.destroy()).resume();
  };
}
