/* Generated from spec/ by npm run generate; never edited. */
import { type StreamSocket } from './socket.js';
import type { Queue } from './queue.js';
interface Followed<T extends object> {
    open(): Promise<StreamSocket>;
    silentSeconds: number;
    /** Whether silence tells that the network is gone, where no ping is seen. Default: always. */
    isAwaiting?: () => boolean;
    queue: Queue<T>;
    onMessage(data: unknown): void;
    /** Checked after each message: whether the reader is so far behind that the stream is to be left until he is not. Default: never. */
    isBehind?: () => boolean;
    signal: AbortSignal;
}
/** Reads a stream over every loss of the connection, until the signal ends it, or a close that is final. One that never began is not waited for. */
export declare function follow<T extends object>(settings: Followed<T>): Promise<void>;
/** A ticket that could not be had now may be had later. */
export declare const isPassing: (error: unknown) => boolean;
export declare const asError: (error: unknown) => Error;
/** What the queue has, for as long as somebody reads; who stops reading ends the stream. */
export declare function drain<T extends object>(queue: Queue<T>, begin: (signal: AbortSignal) => Promise<void>, signal: AbortSignal | undefined): AsyncGenerator<T, void>;
export {};
