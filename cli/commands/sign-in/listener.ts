import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Attempt } from './attempt.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import { donePage, pageHeaders, refusedPage, strangePage } from './pages.ts';

export interface Listener {
  /** Where the portal sends the browser: the address by its literal, since a name may lead elsewhere (RFC 8252 §8.3). */
  redirectUri: string;
  /** Resolves once, with the first answer that is this attempt's; never rejects. */
  outcome: Promise<Outcome>;
  /** Ends it, connections that a browser keeps open included. */
  close(): void;
}

const host = '127.0.0.1';
/** How long the browser has to take the page, before the connection is cut. */
const lastPageMs = 500;

/**
 * Waits on a free port of this machine alone for the browser to come back from the portal. Whatever else comes is answered and changes
 * nothing: any page that is open in a browser may send requests here, and must not end a sign-in. @throws if no port can be had
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
    // A page of another name that its owner points at this machine would come with that name (DNS rebinding).
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
