import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A host that is not the service, as an artifact cache or an object store. It has nothing, and keeps what it is asked. */
interface OtherHost extends AsyncDisposable {
  url: string;
  /** Of each request: its line and its headers, as text. */
  requests: string[];
}

/** Starts it on a free port of this machine. */
export async function startOtherHost(): Promise<OtherHost> {
  const requests: string[] = [];
  const http = createServer(({ method, url, rawHeaders }, response) => {
    requests.push([method, url, ...rawHeaders].join(' '));
    response.writeHead(503, { 'Content-Length': '0', Connection: 'close' }).end();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
