import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer, type WebSocket as Socket } from 'ws';
import { streamSocket, type StreamSocket } from '../../../../cli/agent/streams/socket.ts';
import { until } from '../../../support/until.ts';

const times = { pingEveryMs: 50, deadAfterMs: 200, slowAfterMs: 1_500 };

interface Pair extends Disposable {
  /** The agent's side. */
  stream: StreamSocket;
  far: Socket;
  closedMs(): number | undefined;
  eased(): number;
}

/** A stream and the service's end of it, which answers no ping where that is said. */
async function pairOf(answersPings: boolean): Promise<Pair> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: answersPings });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const coming = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  await new Promise((resolve) => socket.once('open', resolve));
  let closedMs: number | undefined;
  let eased = 0;
  const began = performance.now();
  const listener = {
    message: () => undefined,
    eased: () => void (eased += 1),
    closed: () => void (closedMs = performance.now() - began),
  };
  return {
    stream: streamSocket(socket, listener, times),
    far: await coming,
    closedMs: () => closedMs,
    eased: () => eased,
    [Symbol.dispose]() {
      socket.terminate();
      server.close();
    },
  };
}

test('a stream of which nothing is heard is dead; one that answers pings is not', async () => {
  using silent = await pairOf(false);
  using quiet = await pairOf(true);
  await until(() => silent.closedMs() !== undefined);
  expect(silent.closedMs()).toBeGreaterThan(190);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(quiet.closedMs()).toBeUndefined();
});

test('who has not read what was sent is slow, and is waited for longer; it is told when it takes more again', async () => {
  using slow = await pairOf(true);
  slow.far.pause();
  const bytes = Buffer.alloc(64 * 1024);
  while (!slow.stream.isCongested) {
    slow.stream.send(bytes);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(slow.closedMs()).toBeUndefined();
  expect(slow.eased()).toBe(0);
  slow.far.resume();
  await until(() => slow.eased() === 1);
  expect(slow.stream.isCongested).toBe(false);
  slow.far.pause();
  slow.stream.send(bytes);
  await until(() => slow.closedMs() !== undefined);
  expect(slow.closedMs()).toBeGreaterThan(times.slowAfterMs);
});

test('while we do not read, silence says nothing', async () => {
  using paused = await pairOf(true);
  paused.stream.pause();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(paused.closedMs()).toBeUndefined();
  paused.stream.resume();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(paused.closedMs()).toBeUndefined();
});
