/* Generated from spec/ by npm run generate; never edited. */
import type { StreamKind } from '../types.js';
import type { StreamSocket } from './stream-socket.js';
type Query = Readonly<Record<string, string | number | undefined>>;
export interface OpenedStream {
    /** Being opened, or open and paused. */
    socket: StreamSocket;
    /** The `seq` of the newest log record when it was opened. Default: the connector does not see it, as a page sees no headers. */
    newestSeq?: number | undefined;
}
/** Opens live streams of the service. */
export interface StreamConnector {
    /** `protocol`: the subprotocol to speak; default none. Rejects where there is none to be had, with a StreamError where it is known why. */
    open(robotId: string, kind: StreamKind, query: Query, protocol?: string): Promise<OpenedStream>;
    /** A network that is silent for so long is gone. */
    silentSeconds: number;
}
/** The address of a stream under that of the service. */
export declare function streamUrl(baseUrl: string, robotId: string, kind: StreamKind, query: Query): URL;
export {};
