/* Generated from spec/ by npm run generate; never edited. */
import type { StreamKind } from '../types.js';
import type { StreamSocket } from './socket.js';
type Query = Record<string, string | number | undefined>;
/** The way to streams of the service. */
export interface Door {
    open(robotId: string, kind: StreamKind, path: string, query: Query): Promise<StreamSocket>;
    /** The `seq` of the newest record of its logs; 0 where there is none. */
    newestSeq(robotId: string): Promise<number>;
}
/** Of a text frame: a text in a browser, bytes from `ws`. */
export declare const textOf: (data: unknown) => string;
/** Of a binary frame. */
export declare function bytesOf(data: unknown): Uint8Array;
export {};
