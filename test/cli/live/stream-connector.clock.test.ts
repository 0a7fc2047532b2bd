import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Api } from '../../../cli/api/api.ts';
import type { Invocation } from '../../../cli/command-line/command-spec.ts';
import { streamConnector } from '../../../cli/live/stream-connector.ts';

/** Opens a stream at a server that refuses it with 503. `refused` writes the body; `noted` is the line of `--debug`. */
async function openAt(refused: (socket: Socket) => void) {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  const cut = new Promise<void>((resolve) => {
    server.on('upgrade', (_request, socket: Socket) => {
      socket.on('end', () => socket.destroy()).on('close', resolve);
      socket.on('error', () => undefined).resume();
      socket.write('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n', () => refused(socket));
    });
  });
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let note: (line: string) => void = () => undefined;
  const noted = new Promise<string>((resolve) => (note = resolve));
  const flags = { has: () => true, on: () => true, text: () => undefined };
  const call = { environment: {}, version: '1.0.0', flags, command: { path: '' }, io: { note, err: { tty: false } } };
  const api = { connection: { baseUrl, baseUrlFrom: '--base-url', token: 'svc_org_x' } };
  const opened = streamConnector(call as unknown as Invocation, api as unknown as Api).open('r1', 'logs', {});
  return { opened: opened.catch((error: unknown) => error), cut, noted };
}

test('of a refusal without end only the beginning is read', async () => {
  const { opened, cut } = await openAt(function fill(socket): void {
    if (!socket.destroyed) socket.write('x'.repeat(64 * 1024), () => fill(socket));
  });
  expect(await opened).toMatchObject({ isRetryable: true, message: expect.stringContaining('503') as string });
  await cut;
});

test('a refusal whose end does not come is left after 15 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { opened, cut, noted } = await openAt((socket) => socket.write('x'));
  expect(await noted).toContain('503');
  let isOver = false;
  void opened.then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(14_000);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await opened).toMatchObject({ isRetryable: true, message: 'no complete response within 15 s' });
  await cut;
});
