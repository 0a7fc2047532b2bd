import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { followCamera } from '../../../cli/client/streams/camera.ts';
import { followLogs } from '../../../cli/client/streams/logs.ts';
import { connectorTo } from '../../support/plain-streams.ts';
import { within } from '../../support/until.ts';

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

async function startServer(): Promise<WebSocketServer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  return server;
}

test('what is still being written when somebody leaves holds up nothing after it: no timer is left', async () => {
  const server = await startServer();
  server.on('connection', (socket) => socket.send(Buffer.from('a picture')));
  const left = new AbortController();
  let written: () => void = () => undefined;
  await followCamera(connectorTo(server), 'r1', {
    query: {},
    signal: left.signal,
    onPicture() {
      left.abort();
      return new Promise((resolve) => (written = resolve));
    },
  });
  const before = timers();
  written();
  await Promise.resolve();
  await Promise.resolve();
  expect(timers()).toBe(before);
});

test('a reader who is not done with what came is sent no more, however much there is', async () => {
  const server = await startServer();
  const picture = Buffer.alloc(256 * 1024);
  const count = 200;
  server.on('connection', (socket) => {
    for (let sent = 0; sent < count; sent += 1) socket.send(picture);
    socket.close(4404);
  });
  let come = 0;
  const writes: (() => void)[] = [];
  const following = followCamera(connectorTo(server), 'r1', {
    query: {},
    signal: new AbortController().signal,
    onPicture() {
      come += 1;
      return new Promise((resolve) => writes.push(resolve));
    },
  }).catch((error: unknown) => error);
  await expect.poll(() => come).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 200));
  // Those that were under way in one read.
  expect(come).toBeLessThan(10);
  const timer = setInterval(() => writes.splice(0).forEach((write) => write()), 1);
  expect(await following).toMatchObject({ reason: 'not_found', isRetryable: false });
  clearInterval(timer);
  expect(come).toBe(count);
});

test('a robot that is not to be followed any more while its stream is being opened is left', async () => {
  const server = await startServer();
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(socket, 'open');
  const controller = new AbortController();
  const following = followLogs(
    {
      silentSeconds: 30,
      async open() {
        controller.abort();
        return { socket };
      },
    },
    'r1',
    { filter: {}, start: () => ({}), mayWait: () => true, signal: controller.signal, onRecord: () => undefined },
  );
  await within(following, 20_000, () => 'it is followed on');
  await expect.poll(() => socket.readyState).toBe(WebSocket.CLOSED);
});

test('a stream that opens only after its reader has left is ended at once', async () => {
  const server = await startServer();
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(socket, 'open');
  socket.pause();
  const controller = new AbortController();
  let opened: (() => void) | undefined;
  const following = followLogs(
    { silentSeconds: 30, open: () => new Promise((resolve) => (opened = () => resolve({ socket }))) },
    'r1',
    { filter: {}, start: () => ({}), signal: controller.signal, onRecord: () => undefined },
  );
  await expect.poll(() => opened).toBeDefined();
  controller.abort();
  await within(following, 20_000, () => 'it waits for the stream');
  opened?.();
  await within(once(socket, 'close'), 20_000, () => 'the socket stays open');
});

test('a close by which the service says not to come again is the end, any other is waited over', async () => {
  const server = await startServer();
  const codes = [1012, 1008];
  server.on('connection', (socket) => socket.close(codes.shift(), 'a sentence of the service'));
  const waits: string[] = [];
  const following = followCamera(connectorTo(server), 'r1', {
    query: {},
    signal: new AbortController().signal,
    onPicture: () => undefined,
    onWaiting: ({ message }) => waits.push(message),
  });
  await expect(following).rejects.toMatchObject({ reason: 'invalid', message: 'a sentence of the service' });
  expect(waits).toEqual(['a sentence of the service']);
});

test('stored records that a lost connection did not bring are asked for again, and new ones are not skipped', async () => {
  const record = (seq: number) => JSON.stringify({ seq, message: 'a record' });
  const cases = [
    { start: { tail: 20 }, newestSeq: 500, again: { tail: 20 } },
    { start: { since: '2026-11-21T09:00:09Z' }, newestSeq: 500, again: { since: '2026-11-21T09:00:09Z' } },
    { start: { tail: 0 }, newestSeq: 500, again: { after: 500 } },
    { start: {}, newestSeq: 500, again: { after: 500 } },
    { start: { tail: 20 }, newestSeq: 0, again: { after: 0 } },
  ];
  const askedIn = async ({ start, newestSeq }: (typeof cases)[number]) => {
    const server = await startServer();
    const { open } = connectorTo(server);
    const asked: unknown[] = [];
    const controller = new AbortController();
    server.on('connection', (socket) => {
      if (asked.length === 1) return socket.close(1013, 'the logs cannot be read at the moment');
      if (asked.length === 2) return socket.send(record(501), () => socket.terminate());
      return controller.abort();
    });
    await followLogs(
      {
        silentSeconds: 30,
        async open(robotId, kind, query) {
          asked.push(query);
          return { ...(await open(robotId, kind, query)), newestSeq };
        },
      },
      'r1',
      { filter: {}, start: () => start, signal: controller.signal, onRecord: () => undefined },
    );
    return asked;
  };
  const expected = cases.map(({ start, again }) => [start, again, { after: 501 }]);
  expect(await Promise.all(cases.map(askedIn))).toEqual(expected);
});
