/* Generated from spec/ by npm run generate; never edited. */
import type { StreamKind } from '../types.js';
import type { StreamSocket } from './stream-socket.js';
type Query = Readonly<Record<string, string | number | undefined>>;
export interface OpenedStream {
    /** Opening, or open and paused. */
    socket: StreamSocket;
    /** The `seq` of the newest log record when the stream opened. Default: unknown, because a page sees no headers. */
    newestSeq?: number | undefined;
}
/** Opens live streams of the service. */
export interface StreamConnector {
    /**
     * `protocol`: the subprotocol; default none. Rejects if the stream cannot open, with a StreamError if the reason is
     * known.
     */
    open(robotId: string, kind: StreamKind, query: Query, protocol?: string): Promise<OpenedStream>;
    /** A network that is silent for this long counts as lost. */
    silentSeconds: number;
}
/** The URL of a stream under the base URL. */
export declare function streamUrl(baseUrl: string, robotId: string, kind: StreamKind, query: Query): URL;
export {};
