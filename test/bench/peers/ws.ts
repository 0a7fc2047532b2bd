/**
 * The floor of an agent link: `ws` as its makers document it, deflate off, that answers hello, parses the JSON of each frame and does nothing with
 * it. It enrolls nobody, asks for no token and pings nobody.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';

const http = createServer((_request, response) => void response.writeHead(404).end());
const links = new WebSocketServer({ server: http, perMessageDeflate: false, maxPayload: 262_144 });

links.on('connection', (socket: WebSocket) => {
  socket.on('message', (data: RawData) => {
    const frame = JSON.parse((data as Buffer).toString('utf8')) as { type: string; spool?: string; to_seq?: number };
    if (frame.type === 'hello') {
      const at = new Date().toISOString();
      const welcome = { type: 'welcome', protocol: 1, server_time: at, heartbeat_seconds: 10 };
      socket.send(JSON.stringify({ ...welcome, robot_id: 'r', robot_name: 'n' }));
    }
    if (frame.type === 'logs') socket.send(JSON.stringify({ type: 'logs_ack', spool: frame.spool, seq: frame.to_seq }));
  });
  socket.on('error', () => undefined);
});

http.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  const { port } = http.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ msg: 'ready', url: `http://127.0.0.1:${port}` })}\n`);
});
process.once('SIGTERM', () => process.exit(0));
