/* Generated from spec/ by npm run generate; never edited. */
import { type Client, type ParseAsResponse } from 'openapi-fetch';
import { type RetryOptions } from './retry.js';
import { type Streams } from './streams/streams.js';
import type { SocketMaker } from './streams/socket-maker.js';
import { type TokenSource } from './token.js';
import type { Arguments, Init, Item, ListPath, Method, PathWith, Paths, Success } from './types.js';
export interface ClientOptions extends RetryOptions {
    /** Address of the service, `http://` or `https://`, with a path where it has one. */
    baseUrl: string;
    /** `createClient` throws where there is none, as where a variable of the environment is not set. A function is asked before each call and each connection. */
    token: TokenSource;
    /** Chooses one of the token's orgs; needed where the token is good in several. Default: the org it is good in. */
    orgId?: string;
    /** Name and version of your program, such as `stock-sync/2.1`, in `User-Agent` before the client's own. Default: that alone. */
    userAgent?: string;
    /** A live stream whose network is silent for so long is made anew. Default 30 s. */
    silentSeconds?: number;
    /** Default: the platform's. */
    fetch?: (request: Request) => Promise<Response>;
    /** `WebSocket` of the package `ws`, for a Node without one of its own; the token goes in its header. Default: the platform's, opened by tickets. */
    WebSocket?: SocketMaker;
}
type Call<M extends Method> = <P extends PathWith<M>, I extends Init<P, M>>(path: P, ...init: Arguments<I>) => Promise<ParseAsResponse<Success<Paths[P][M]>, I>>;
/** Calls give the body of a good answer, and throw ApiError for any other and ConnectionError where none came. */
export interface FleetClient {
    GET: Call<'get'>;
    POST: Call<'post'>;
    PUT: Call<'put'>;
    PATCH: Call<'patch'>;
    DELETE: Call<'delete'>;
    /** The items of a list, page by page as they are read; `limit` of the query is the size of a page, default 200. */
    list<P extends ListPath, I extends Init<P, 'get'>>(path: P, ...init: Arguments<I>): AsyncGenerator<Item<P>, void>;
    /** What is live at a robot. */
    streams: Streams;
    /** The client of openapi-fetch below, for headers and for answers that are no errors to the caller: it throws for none. It tries again alike. */
    raw: Client<Paths>;
}
/** A client of the service, typed by its contract. It does nothing until it is called, but to refuse options with which no call could be made. */
export declare function createClient(options: ClientOptions): FleetClient;
export {};
