import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { sendFile, usualSilenceMs } from '../../../src/platform/http/dispatch/files.ts';

/** Sends a file of so many bytes over a connection that ends with it: what became of it for us, and for its reader. */
async function send(size: number, bytes: (response: ServerResponse) => AsyncGenerator<Buffer>) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sending = new Promise<number>((resolve) =>
    server.on('request', (request, response) => {
      const file = { sha256: '0'.repeat(64), size, open: () => bytes(response) };
      const sent = sendFile(response, file, request.headers, { Connection: 'close' }, usualSilenceMs);
      // As it is done with every failure after the head of a reply.
      sent.catch(() => response.destroy());
      resolve(sent);
    }),
  );
  const request = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, agent: false });
  const reading = once(request, 'response').then(([reply]) => buffer(reply as IncomingMessage));
  const [sent, read] = await Promise.allSettled([sending, reading]);
  server.close();
  return { sent, read };
}

test('a file is sent although its reader, which has all of it, hangs up before its end is seen', async () => {
  const { sent, read } = await send(4, async function* (response) {
    yield Buffer.from('file');
    await once(response, 'close');
  });
  expect(sent).toEqual({ status: 'fulfilled', value: 200 });
  expect(read).toEqual({ status: 'fulfilled', value: Buffer.from('file') });
});

test('a file that is shorter than was said is a failure for both sides', async () => {
  const { sent, read } = await send(8, async function* () {
    yield Buffer.from('file');
  });
  expect(sent).toMatchObject({ reason: { message: 'a file gave 4 bytes of 8' } });
  expect(read).toMatchObject({ status: 'rejected' });
});
