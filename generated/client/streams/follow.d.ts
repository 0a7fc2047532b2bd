/* Generated from spec/ by npm run generate; never edited. */
import type { OpenedStream } from './stream-connector.js';
/** Callbacks and settings of a stream across its connections. */
export interface FollowOptions {
    /** Ends the stream in order. */
    signal: AbortSignal;
    /** Whether to wait for a missing stream that may return; otherwise the stream ends. Default: once it has opened. */
    mayWait?: ((hasOpened: boolean) => boolean) | undefined;
    onOpen?: (() => void) | undefined;
    /** The stream is missing; it reconnects after that time. `attempt` counts from 1. */
    onWaiting?: ((error: Error, waitMs: number, attempt: number) => void) | undefined;
}
interface FollowSettings extends FollowOptions {
    /** Opens the first or a later connection. */
    open(): Promise<OpenedStream>;
    silentSeconds: number;
    /** Whether silence means a lost network, on a socket without pings. Default: always. */
    isAwaiting?: (() => boolean) | undefined;
    /** If it returns a promise, reading pauses until that resolves, provided that the socket can pause. */
    onMessage(data: unknown): Promise<void> | undefined;
    /**
     * Called after each message: whether the reader is so far behind that the stream closes until it catches up. Default:
     * never.
     */
    isBehind?: (() => boolean) | undefined;
}
/**
 * Reads a stream across disconnects. Resolves when the signal aborts; rejects with the error that rules out a
 * reconnect.
 */
export declare function follow(settings: FollowSettings): Promise<void>;
/** Whether a later attempt may succeed. */
export declare function isRetryable(error: unknown): boolean;
export declare const asError: (error: unknown) => Error;
export {};
