/* Generated from spec/ by npm run generate; never edited. */
import { StreamError } from '../errors.js';
import type { StreamKind } from '../types.js';
import type { StreamClose } from './socket.js';
import type { StreamSocket } from './stream-socket.js';
type Query = Record<string, string | number | undefined>;
/** The way to streams of the service. */
export interface StreamConnector {
    /** `protocol`: the subprotocol to speak; default none. */
    open(robotId: string, kind: StreamKind, path: string, query: Query, protocol?: string): Promise<StreamSocket>;
    /** The `seq` of the newest record of its logs; 0 where there is none. */
    newestSeq(robotId: string): Promise<number>;
    /** A network that is silent for so long is gone. */
    silentSeconds: number;
}
/** Of a text frame; undefined for what is none of ours, which is left out like frames of later versions. */
export declare function fieldsOf(data: unknown): Record<string, unknown> | undefined;
/** Of a binary frame. */
export declare function bytesOf(data: unknown): Uint8Array;
/** What the end of a stream's connection means. `isFinal`: no other one would fare better. */
export declare function endOf({ code, reason, hasOpened }: StreamClose): {
    isFinal: boolean;
    error: StreamError;
};
export {};
