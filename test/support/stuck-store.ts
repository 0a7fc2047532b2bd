import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * An S3 store that hangs. It responds once about each file that it was given with `keep`, and about no other, until
 * `answerAll`. From then on it responds about all.
 */
export async function startStuckStore() {
  const files = new Map<string, { size: number; isAsked: boolean }>();
  const waiting = new Map<ServerResponse, string>(); // the SHA-256 of the file
  let isStuck = true;
  function answer(response: ServerResponse, sha256: string): void {
    const file = files.get(sha256);
    if (file) response.writeHead(200, { 'Content-Length': file.size, 'x-amz-meta-sha256': sha256 }).end();
    else response.writeHead(503).end();
  }
  const server = createServer(({ url = '' }, response) => {
    const sha256 = /[0-9a-f]{64}$/.exec(url)?.[0];
    if (sha256 === undefined) return answer(response, '');
    const file = files.get(sha256);
    if (!isStuck || file?.isAsked === false) answer(response, sha256);
    else
      waiting.set(
        response.on('close', () => waiting.delete(response)),
        sha256,
      );
    if (file) file.isAsked = true;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      S3_BUCKET: 'stuck',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
    },
    keep: (sha256: string, size: number) => void files.set(sha256, { size, isAsked: false }),
    /** Requests about files that have no response. */
    get waiting(): number {
      return waiting.size;
    },
    answerAll(): void {
      isStuck = false;
      for (const [response, sha256] of waiting) answer(response, sha256);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
