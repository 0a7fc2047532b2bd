import createFetchClient, { type Client, type ParseAsResponse } from 'openapi-fetch';
import { release } from '../../generated/release.js';
import { isRepeatable } from '../transport/retry.ts';
import { ApiError, refusalOf, strangeAnswer } from './errors.ts';
import { isJson, retryingFetch, type RetryOptions } from './retry.ts';
import { streamsOf, type Streams } from './streams/streams.ts';
import type { SocketMaker } from './streams/socket-maker.ts';
import { tokenOf, type TokenSource } from './token.ts';
import { isKeyed, keyedPaths } from './keyed-paths.ts';
import type { Arguments, Init, Item, ListPath, Method, PathWith, Paths, Success } from './types.ts';

export interface ClientOptions extends RetryOptions {
  /** Base URL of the service, `http://` or `https://`, with a path if it has one. */
  baseUrl: string;
  /**
   * `createClient` throws if it is missing, for example if an environment variable is not set. A function is called
   * before each call and each connection.
   */
  token: TokenSource;
  /** Selects one of the token's orgs; required if the token is valid in several. Default: the token's only org. */
  orgId?: string;
  /**
   * Name and version of your program, such as `stock-sync/2.1`, in `User-Agent` before the client's own. Default: only
   * the client's.
   */
  userAgent?: string;
  /** A live stream without network traffic for this long reconnects. Default 30 s. */
  silentSeconds?: number;
  /** Default: the platform's. */
  fetch?: (request: Request) => Promise<Response>;
  /**
   * `WebSocket` of the package `ws`, for a Node without its own; it sends the token in a header. Default: the
   * platform's, opened with tickets.
   */
  WebSocket?: SocketMaker;
}

type Call<M extends Method> = <P extends PathWith<M>, I extends Init<P, M>>(
  path: P,
  ...init: Arguments<I>
) => Promise<ParseAsResponse<Success<Paths[P][M]>, I>>;

/**
 * Calls return the body of a successful response. They throw ApiError for any other response, and ConnectionError
 * without one.
 */
export interface FleetClient {
  GET: Call<'get'>;
  POST: Call<'post'>;
  PUT: Call<'put'>;
  PATCH: Call<'patch'>;
  DELETE: Call<'delete'>;
  /**
   * The items of a list; further pages are requested as they are read. `limit` in the query is the page size, default
   * 200.
   */
  list<P extends ListPath, I extends Init<P, 'get'>>(path: P, ...init: Arguments<I>): AsyncGenerator<Item<P>, void>;
  /** Live streams of a robot. */
  streams: Streams;
  /**
   * The underlying openapi-fetch client, for headers, and for error responses that the caller expects: it throws for
   * none. It retries the same way.
   */
  raw: Client<Paths>;
}

const usualPageSize = 200;

/**
 * A client of the service, typed by its contract. It throws for unusable options, and otherwise does nothing until it
 * is called.
 */
export function createClient(options: ClientOptions): FleetClient {
  const { baseUrl, orgId, silentSeconds = 30, fetch: ask = (request: Request) => fetch(request) } = options;
  if (!/^https?:\/\//.test(baseUrl)) throw new Error(`baseUrl must start with https:// or http://, unlike ${baseUrl}`);
  const token = tokenOf(options.token);
  const userAgent = { 'User-Agent': [options.userAgent ?? [], `fleet-client/${release}`].flat().join(' ') };
  const raw = createFetchClient<Paths>({
    baseUrl,
    redirect: 'manual',
    headers: { ...userAgent, ...(orgId !== undefined && { 'X-Service-Org-Id': orgId }) },
    fetch: retryingFetch(ask, options, mayRepeat),
  });
  raw.use({
    async onRequest({ request, schemaPath }) {
      if (!request.headers.has('Authorization')) request.headers.set('Authorization', `Bearer ${await token()}`);
      const takesKey = request.method === 'POST' && Object.hasOwn(keyedPaths, schemaPath);
      if (takesKey && !request.headers.has('Idempotency-Key')) request.headers.set('Idempotency-Key', freshKey());
    },
    onResponse({ request, response, options: { parseAs } }) {
      const isEmpty = request.method === 'HEAD' || response.status === 204;
      if (response.ok && !isEmpty && parseAs === 'json' && !isJson(response.headers)) throw strangeAnswer(response);
    },
  });

  // The interface types per path what this does alike for every path.
  const calls = raw as unknown as Record<Uppercase<Method>, LooseCall>;
  const method = (verb: Uppercase<Method>) => async (path: string, init?: object) => {
    const { data, error, response } = await calls[verb](path, init);
    if (!response.ok) throw refusalOf(response, error);
    return data;
  };
  const get = method('GET');

  async function* list(path: string, init: ListInit = {}): AsyncGenerator<unknown, void> {
    let cursor = init.params?.query?.['cursor'];
    do {
      const query = { limit: usualPageSize, ...init.params?.query, ...(cursor !== undefined && { cursor }) };
      const page = (await get(path, { ...init, params: { ...init.params, query } })) as Page;
      yield* page.items;
      if (page.next_cursor !== undefined && page.next_cursor === cursor) throw lostPlace();
      cursor = page.next_cursor;
    } while (cursor !== undefined);
  }

  const client = {
    GET: get,
    POST: method('POST'),
    PUT: method('PUT'),
    PATCH: method('PATCH'),
    DELETE: method('DELETE'),
    list,
    raw,
  } as unknown as Omit<FleetClient, 'streams'>;
  return {
    ...client,
    streams: streamsOf({
      baseUrl,
      token,
      orgId,
      silentSeconds,
      userAgent,
      socketMaker: options.WebSocket,
      ticket: async (robotId, kind) =>
        (await client.POST('/api/stream-tickets', { body: { robot_id: robotId, kind } })).data.ticket,
      newestSeq: async (robotId) => {
        const params = { path: { id: robotId }, query: { limit: 1 } };
        return (await client.GET('/api/robots/{id}/logs', { params })).items[0]?.seq ?? 0;
      },
    }),
  };
}

function mayRepeat({ method, url, headers }: Request): boolean {
  // Other operations ignore a key.
  return isRepeatable(method, isKeyed(url) && headers.has('Idempotency-Key'));
}

/** A cache in between that ignores the query returns the same page for ever. */
const lostPlace = () =>
  new ApiError('the list does not continue: the page after this cursor ends with the same cursor', {
    status: 200,
    code: 'http_error',
    requestId: undefined,
    retryAfter: undefined,
  });

type LooseCall = (path: string, init?: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

interface Page {
  items: unknown[];
  next_cursor?: string;
}

interface ListInit {
  params?: { query?: Record<string, unknown> };
}

/** A random UUID would do, but browsers offer none to pages without TLS. */
const freshKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
