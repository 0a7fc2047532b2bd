import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startWire } from './wire.ts';

/** A server that returns what it receives, behind a wire, and clients that keep what they receive. */
async function startEcho() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const wire = await startWire((server.address() as AddressInfo).port);
  return {
    wire,
    async client() {
      const socket = connect(wire.port, '127.0.0.1');
      let text = '';
      let isClosed = false;
      socket.on('error', () => undefined).on('data', (bytes: Buffer) => (text += String(bytes)));
      socket.on('close', () => (isClosed = true));
      sockets.add(socket);
      await once(socket, 'connect');
      return { socket, text: () => text, isClosed: () => isClosed };
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await wire[Symbol.asyncDispose]();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a wire that refuses ends open connections and new ones, and passes again', async () => {
  await using echo = await startEcho();
  const open = await echo.client();
  open.socket.write('a');
  await expect.poll(open.text).toBe('a');
  echo.wire.mode = 'refuse';
  await expect.poll(open.isClosed).toBe(true);
  const refused = await echo.client();
  await expect.poll(refused.isClosed).toBe(true);
  echo.wire.mode = 'pass';
  const later = await echo.client();
  later.socket.write('b');
  await expect.poll(later.text).toBe('b');
});

test('a silent wire keeps its connections and what they send', async () => {
  await using echo = await startEcho();
  const open = await echo.client();
  open.socket.write('a');
  await expect.poll(open.text).toBe('a');
  echo.wire.mode = 'silent';
  const late = await echo.client();
  open.socket.write('b');
  late.socket.write('c');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([open.text(), late.text(), open.isClosed()]).toEqual(['a', '', false]);
  echo.wire.mode = 'pass';
  await expect.poll(() => [open.text(), late.text()]).toEqual(['ab', 'c']);
});

test('a slow wire passes everything later and in order', async () => {
  await using echo = await startEcho();
  const open = await echo.client();
  echo.wire.mode = { delayMs: 100 };
  const startedMs = performance.now();
  for (const letter of 'abc') open.socket.write(letter);
  await expect.poll(() => open.text().length).toBe(3);
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(199);
  open.socket.write('d');
  echo.wire.mode = 'pass';
  open.socket.write('e');
  await expect.poll(open.text).toBe('abcde');
});

test('a wire that responds sends its text to each client, and the target gets nothing', async () => {
  await using echo = await startEcho();
  echo.wire.mode = { response: 'no' };
  const client = await echo.client();
  client.socket.write('a');
  await expect.poll(() => [client.text(), client.isClosed()]).toEqual(['no', true]);
});
