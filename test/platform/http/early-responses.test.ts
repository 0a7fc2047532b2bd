import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { factories } from '../../support/factories.ts';
import { sha256 } from '../../support/orders.ts';
import { startWorld, type World } from '../../support/world.ts';

const part = Buffer.alloc(1_100_000);
/** More than the buffers of both ends of a connection hold. */
const moreParts = 20;

interface Sent {
  line: string;
  operation: string;
  type?: 'json';
  framing: string;
  /** Sent once, and then again and again. */
  body: Buffer;
}

const uploadOf = (digest: string) => ({ line: `PUT /api/artifacts/${digest}`, operation: 'uploadArtifact' });
const chunk = Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
const chunked = { framing: 'Transfer-Encoding: chunked' };

/** A caller that reads nothing until it has sent more than the service wanted. */
async function send(world: World, request: Sent): Promise<string> {
  const { line, operation, type = 'octet-stream', framing, body } = request;
  const { hostname, port } = new URL(world.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.pause().on('error', () => undefined);
  const write = (bytes: Buffer | string) => new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  const head = [
    `${line} HTTP/1.1`,
    'Host: fleet',
    `Authorization: Bearer ${world.orgToken}`,
    `Content-Type: application/${type}`,
    framing,
  ];
  await write(`${head.join('\r\n')}\r\n\r\n`);
  await write(body);
  await expect.poll(() => world.lines.some((each) => each.includes(operation))).toBe(true);
  for (let count = 0; count < moreParts; count += 1) await write(body);
  let text = '';
  for await (const bytes of socket.setEncoding('latin1')) text += String(bytes);
  return text;
}

test('an upload that is refused before it is read gets its response, although the caller continues to send', async () => {
  await using world = await startWorld();
  const text = await send(world, {
    ...uploadOf(sha256('unknown')),
    framing: `Content-Length: ${part.length * 100}`,
    body: part,
  });
  expect(text).toMatch(/^HTTP\/1.1 404 [\s\S]*Connection: close[\s\S]*"not_found"/);
});

test('an upload that is refused while it is read gets its response, although the caller continues to send', async () => {
  await using world = await startWorld();
  const digest = sha256('short');
  await factories(world).release({ artifact_sha256: digest, artifact_size: 1_000, kind: 'file' });
  const text = await send(world, { ...uploadOf(digest), ...chunked, body: chunk });
  expect(text).toMatch(/^HTTP\/1.1 400 [\s\S]*Connection: close[\s\S]*the body has more than 1000 bytes/);
});

test('a JSON body that grows too large gets its response, although the caller continues to send', async () => {
  await using world = await startWorld();
  const site = { line: 'POST /api/sites', operation: 'createSite', type: 'json' } as const;
  const text = await send(world, { ...site, ...chunked, body: chunk });
  expect(text).toMatch(/^HTTP\/1.1 413 [\s\S]*Connection: close/);
});
