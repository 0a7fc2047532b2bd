import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { factories } from '../../support/factories.ts';
import { sha256 } from '../../support/orders.ts';
import { startWorld, type World } from '../../support/world.ts';

const part = Buffer.alloc(1_000_000);

/** A caller that reads nothing until it has sent a part more than the service wanted. */
async function upload(world: World, digest: string, framing: string, body: Buffer): Promise<string> {
  const { hostname, port } = new URL(world.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.pause().on('error', () => undefined);
  const send = (bytes: Buffer | string) => new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  const head = [
    `PUT /api/artifacts/${digest} HTTP/1.1`,
    'Host: fleet',
    `Authorization: Bearer ${world.orgToken}`,
    'Content-Type: application/octet-stream',
    framing,
  ];
  await send(`${head.join('\r\n')}\r\n\r\n`);
  await send(body);
  await expect.poll(() => world.lines.some((line) => line.includes('uploadArtifact'))).toBe(true);
  await send(part);
  await send(part);
  let text = '';
  for await (const bytes of socket.setEncoding('latin1')) text += String(bytes);
  return text;
}

test('an upload that is refused before it is read gets its response, although the caller continues to send', async () => {
  await using world = await startWorld();
  const text = await upload(world, sha256('unknown'), `Content-Length: ${part.length * 10}`, part);
  expect(text).toMatch(/^HTTP\/1.1 404 [\s\S]*Connection: close[\s\S]*"not_found"/);
});

test('an upload that is refused while it is read gets its response, although the caller continues to send', async () => {
  await using world = await startWorld();
  const digest = sha256('short');
  await factories(world).release({ artifact_sha256: digest, artifact_size: 1_000, kind: 'file' });
  const chunk = Buffer.concat([Buffer.from('f4240\r\n'), part, Buffer.from('\r\n')]);
  const text = await upload(world, digest, 'Transfer-Encoding: chunked', chunk);
  expect(text).toMatch(/^HTTP\/1.1 400 [\s\S]*Connection: close[\s\S]*the body has more than 1000 bytes/);
});
