import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Attempt } from './attempt.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import { donePage, pageHeaders, refusedPage, strangePage } from './pages.ts';

export interface Listener {
  /** Where the portal redirects the browser. An IP literal, because a name may resolve elsewhere (RFC 8252 §8.3). */
  redirectUri: string;
  /** Resolves once, with this attempt's first result; never rejects. */
  outcome: Promise<Outcome>;
  /** Closes the listener, including connections that a browser keeps open. */
  close(): void;
}

const host = '127.0.0.1';
/** How long the browser may take to load the page; then the connection is closed. */
const lastPageMs = 500;

/**
 * Listens on a free loopback port for the portal's redirect. All other requests get a response and change nothing: any
 * page open in a browser can send requests here, and must not end a sign-in.
 * @throws if no port is available
 */
export async function listenForBrowser(attempt: Pick<Attempt, 'state'>): Promise<Listener> {
  let take: (outcome: Outcome) => void = () => undefined;
  const outcome = new Promise<Outcome>((resolve) => (take = resolve));
  let isTaken = false;
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    const answer = (status: number, page: string, headers: Record<string, string> = {}) =>
      void response.writeHead(status, { ...pageHeaders(page), ...headers }).end(request.method === 'HEAD' ? '' : page);
    // A page whose owner points its name at this machine would send that name (DNS rebinding).
    if (request.headers.host !== `${host}:${portOf(server)}`) return answer(400, strangePage);
    const [path, query, ...more] = (request.url ?? '').split('?');
    if (path !== '/callback') return answer(404, strangePage);
    if (request.method !== 'GET') return answer(405, strangePage, { Allow: 'GET' });
    const found = more.length === 0 ? outcomeOf(attempt, new URLSearchParams(query)) : undefined;
    if (found === undefined || isTaken) return answer(400, strangePage);
    isTaken = true;
    const end = () => {
      clearTimeout(late);
      close();
      take(found);
    };
    const late = setTimeout(end, lastPageMs);
    request.socket.once('close', end);
    return answer(200, found === 'refused' ? refusedPage : donePage);
  });
  await new Promise<void>((ready, fail) => {
    server.once('error', fail);
    server.listen(0, host, ready);
  });
  return { redirectUri: `http://${host}:${portOf(server)}/callback`, outcome, close };
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
