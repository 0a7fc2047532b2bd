import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { keepOpen } from '../../../cli/live/keep-open.ts';

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

test('what is still being written when somebody leaves holds up nothing after it: no timer is left', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  server.on('connection', (socket) => socket.send('a picture'));
  await once(server, 'listening');
  const left = new AbortController();
  let written: () => void = () => undefined;
  await keepOpen({
    async open() {
      const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
      socket.once('open', () => socket.pause());
      await once(socket, 'open');
      return { socket, headers: {} };
    },
    mayWait: () => false,
    signal: left.signal,
    onOpen: () => undefined,
    onMessage() {
      left.abort();
      return new Promise((resolve) => (written = resolve));
    },
    onWaiting: () => undefined,
  });
  const before = timers();
  written();
  await Promise.resolve();
  await Promise.resolve();
  expect(timers()).toBe(before);
});
