/** What one writes first: `ws` as its makers document it, deflate off, that sends each picture of `/camera` to everybody at `/viewer` in a loop. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';

const http = createServer((_request, response) => void response.writeHead(404).end());
const sockets = new WebSocketServer({ server: http, perMessageDeflate: false, maxPayload: 1_048_576 });
const viewers = new Set<WebSocket>();

sockets.on('connection', (socket: WebSocket, { url }) => {
  socket.on('error', () => undefined);
  if (url === '/viewer') {
    viewers.add(socket);
    socket.on('close', () => viewers.delete(socket));
  } else
    socket.on('message', (picture: RawData) => {
      for (const viewer of viewers) viewer.send(picture);
    });
});

http.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  const { port } = http.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ msg: 'ready', url: `http://127.0.0.1:${port}` })}\n`);
});
process.once('SIGTERM', () => process.exit(0));
