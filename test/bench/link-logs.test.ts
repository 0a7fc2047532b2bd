import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Logs } from '../../generated/frames.d.ts';
import { scanLogs } from '../../src/logs/frame-scanner.ts';
import { logFrame, recordTails } from './harness/log-data.ts';
import { logSender } from './harness/link-logs.ts';

const ackAfterMs = 50;

/** A link to a server that acknowledges each frame after a while, and keeps what it got. */
async function startLink() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const frames: Logs[] = [];
  server.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Logs;
      frames.push(frame);
      const ack = JSON.stringify({ type: 'logs_ack', spool: frame.spool, seq: frame.to_seq });
      setTimeout(() => socket.send(ack), ackAfterMs);
    }),
  );
  await once(server, 'listening');
  const link = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(link, 'open');
  return {
    link,
    frames,
    async [Symbol.asyncDispose]() {
      link.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}

test('log frames of the bench have the form that the service reads without parsing', () => {
  const tails = recordTails(100);
  expect(scanLogs(logFrame(7, tails))?.seqs).toEqual(tails.map((_tail, index) => 7 + index));
});

test('the time of log lines is that from sending them to their acknowledgement', async () => {
  await using end = await startLink();
  const sender = logSender();
  sender.take([end.link]);
  for (let frame = 0; frame < 5; frame += 1) sender.next(1);
  const { records, p50Ms, p99Ms } = await sender.end();
  expect(records).toBe(5);
  expect(p50Ms).toBeGreaterThanOrEqual(ackAfterMs - 1);
  expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
  expect(end.frames.map(({ from_seq: seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
});

test('a flood sends the next frame for each that is acknowledged, and ends when all are', async () => {
  await using end = await startLink();
  const sender = logSender();
  sender.take([end.link]);
  sender.flood(10);
  await expect.poll(() => end.frames.length).toBeGreaterThan(6);
  const { records } = await sender.end();
  expect(records).toBe(end.frames.length * 10);
});
