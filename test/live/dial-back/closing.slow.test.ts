import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { socketServer } from '../../../src/platform/ws/socket-server.ts';
import { closeAfterAll, closeForRobot } from '../../../src/live/dial-back/close-codes.ts';
import { openStream } from '../../support/dial-back.ts';

/** A server's socket and its client, which reads nothing yet. */
async function sockets() {
  const sides = socketServer({ maxFrameBytes: 65_536 });
  const accepted = new Promise<WebSocket>((resolve) => sides.once('connection', resolve));
  const http = createServer().listen(0, '127.0.0.1');
  http.on('upgrade', (request, socket, head) =>
    sides.handleUpgrade(request, socket, head, (made) => sides.emit('connection', made, request)),
  );
  await once(http, 'listening');
  const client = await openStream(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { paused: true });
  return {
    client,
    server: await accepted,
    async [Symbol.asyncDispose]() {
      client.socket.terminate();
      http.closeAllConnections();
      http.close();
    },
  };
}

test('what waits for a reader is not lost when it reads on later than a closing handshake may take', async () => {
  await using pair = await sockets();
  let sent = 0;
  for (; pair.server.bufferedAmount < 300_000; sent += 60_000) pair.server.send(Buffer.alloc(60_000));
  closeAfterAll(pair.server, [1000, 'exit 0']);
  closeAfterAll(pair.server, [1000, 'again']);
  await sleep(6_000); // ws cuts a closing handshake off after 5 s
  expect(pair.server.readyState).toBe(1);
  pair.client.socket.resume();
  expect(await pair.client.closed).toEqual({ code: 1000, reason: 'exit 0' });
  expect(pair.client.byteCount()).toBe(sent);
});

test('what a right opened that is over ends for good at the robot, what was only cut may be resumed', () => {
  for (const code of [4401, 4403, 4404]) expect(closeForRobot(code)[0], String(code)).toBe(4403);
  for (const code of [1000, 1005]) expect(closeForRobot(code)[0], String(code)).toBe(1000);
  expect(closeForRobot(1012)[0]).toBe(1012);
  for (const code of [1001, 1006, 1009, 3000, 4408]) expect(closeForRobot(code)[0], String(code)).toBe(1001);
});
