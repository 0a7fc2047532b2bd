import { createServer, request as forward } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** A proxy that serves its own pages and the service under one address. */
export interface PageFront extends AsyncDisposable {
  url: string;
}

export async function startPageFront(
  target: string,
  pages: Readonly<Record<string, { type: string; body: string } | { location: string }>>,
): Promise<PageFront> {
  const open = new Set<Socket>();
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (page && 'location' in page) return void response.writeHead(302, { Location: page.location }).end();
    if (page) return void response.writeHead(200, { 'Content-Type': page.type }).end(page.body);
    const { method, headers, url } = request;
    const onward = forward(`${target}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('upgrade', ({ method, url, rawHeaders }, near: Socket, head) => {
    const far = connect(Number(new URL(target).port), '127.0.0.1');
    const lines = rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
    far.write(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`);
    far.write(head);
    for (const socket of [near, far])
      open.add(socket.on('error', () => undefined).on('close', () => [near, far].forEach((each) => each.destroy())));
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
