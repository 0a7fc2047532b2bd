/* Generated from spec/ by npm run generate; never edited. */
import { type Client, type ParseAsResponse } from 'openapi-fetch';
import { type RetryOptions } from './retry.js';
import { type Streams } from './streams/streams.js';
import type { SocketMaker } from './streams/socket-maker.js';
import { type TokenSource } from './token.js';
import type { Arguments, Init, Item, ListPath, Method, PathWith, Paths, Success } from './types.js';
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
type Call<M extends Method> = <P extends PathWith<M>, I extends Init<P, M>>(path: P, ...init: Arguments<I>) => Promise<ParseAsResponse<Success<Paths[P][M]>, I>>;
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
/**
 * A client of the service, typed by its contract. It throws for unusable options, and otherwise does nothing until it
 * is called.
 */
export declare function createClient(options: ClientOptions): FleetClient;
export {};
