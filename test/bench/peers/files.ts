/**
 * The floor of artifacts: `node:http` as its makers show it, which pipes what is put into a file and a file to whoever gets it. It asks for no
 * token, hashes nothing, waits for no disk and keeps whatever came.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const path = join(process.env['FOLDER'] ?? '', 'file');

const server = createServer((request, response) => {
  void (async () => {
    if (request.method === 'PUT') {
      await pipeline(request, createWriteStream(path));
      response.writeHead(200).end();
      return;
    }
    response.writeHead(200, { 'Content-Length': (await stat(path)).size });
    await pipeline(createReadStream(path), response);
  })().catch(() => response.destroy());
});

server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ msg: 'ready', url: `http://127.0.0.1:${port}` })}\n`);
});
process.once('SIGTERM', () => process.exit(0));
