/* Generated from spec/ by npm run generate; never edited. */
import type { OpenedStream } from './stream-connector.js';
/** What a reader is told of the connections below, and says to them. */
export interface FollowOptions {
    /** Ends it in order. */
    signal: AbortSignal;
    /** Whether a stream that is not there, and may come back, is waited for; otherwise that is the end. Default: once it was there. */
    mayWait?: ((hasOpened: boolean) => boolean) | undefined;
    onOpen?: (() => void) | undefined;
    /** It is not there, and is tried again after that time. `attempt` counts from 1. */
    onWaiting?: ((error: Error, waitMs: number, attempt: number) => void) | undefined;
}
interface FollowSettings extends FollowOptions {
    /** Opens it, for the first time or again. */
    open(): Promise<OpenedStream>;
    silentSeconds: number;
    /** Whether silence tells that the network is gone, where no ping is seen. Default: always. */
    isAwaiting?: (() => boolean) | undefined;
    /** Where it gives a promise, no more is read until that resolves, if the socket can be paused. */
    onMessage(data: unknown): Promise<void> | undefined;
    /** Asked after each message: whether the reader is so far behind that the stream is to be left until he is not. Default: never. */
    isBehind?: (() => boolean) | undefined;
}
/** Reads a stream over every loss of the connection. Resolves when the signal ends it; rejects with why it cannot go on. */
export declare function follow(settings: FollowSettings): Promise<void>;
/** What could not be had now may be had later. */
export declare function isRetryable(error: unknown): boolean;
export declare const asError: (error: unknown) => Error;
export {};
