import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startHome } from '../../support/cli.ts';

const robotId = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61';
const record = {
  seq: 1,
  robot_id: robotId,
  received_at: '2026-11-21T09:00:09.000Z',
  level: 'info',
  source: 'journal',
  message: 'the first one',
};

/** The bytes of a text frame, of up to 64 KiB. */
function textFrame(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 126, bytes.length >> 8, bytes.length & 0xff]), bytes]);
}

test('a record that comes in one piece with the answer that opens the stream is shown', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  server.on('upgrade', ({ headers }, socket) => {
    const key = `${headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    const head = [...lines, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n');
    socket.on('error', () => undefined).write(Buffer.concat([Buffer.from(head), textFrame(JSON.stringify(record))]));
  });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: url });
  const following = home.start(['robots', 'logs', robotId, '--follow', '-o', 'jsonl']);
  await following.sees('the first one');
  following.kill('SIGTERM');
  expect((await following.ended).stdout).toContain('"seq":1');
  server.closeAllConnections();
  server.close();
});
