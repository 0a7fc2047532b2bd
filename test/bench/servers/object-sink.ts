import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// An S3 store that accepts every object and keeps none.
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { ETag: '"object"' }).end());
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ msg: 'ready', url: `http://127.0.0.1:${port}` })}\n`);
});
