/* Generated from spec/ by npm run generate; never edited. */
import type { components } from '../api.d.ts';
type KnownCode = components['schemas']['ErrorBody']['code'];
/** The service refused, or failed. */
export declare class ApiError extends Error {
    readonly name = "ApiError";
    readonly status: number;
    /** Of the error envelope; `http_error` where the answer had none, which is then not the service's. */
    readonly code: KnownCode;
    /** Names the call in the log of the service; default none. */
    readonly requestId: string | undefined;
    /** So many seconds are to pass before another try; default none. */
    readonly retryAfter: number | undefined;
    /** The same call may be answered otherwise later; the tries of this one are used up, or it is not harmless to repeat. */
    readonly isRetryable: boolean;
    constructor(message: string, facts: Pick<ApiError, 'status' | 'code' | 'requestId' | 'retryAfter'>);
}
/** No answer came, or not a whole one; `cause` says what the platform knows of it. What was asked may be done already. */
export declare class ConnectionError extends Error {
    readonly name = "ConnectionError";
}
/**
 * Why a live stream did not begin, or ended for good. `unopened`: no connection came about, and a browser tells no more; `lost`: it broke off; `gone`: there is
 * nothing left to go on with; `replaced`: another connection went on with the shell; `idle`: nothing was typed or shown for too long; `broken`: the robot's agent
 * does not keep to the protocol; `unread`: what a raw shell showed was not read. Read it as an open list.
 */
export type StreamReason = 'unopened' | 'lost' | 'ended' | 'offline' | 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'invalid' | 'unsupported' | 'restarting' | 'failed' | 'gone' | 'replaced' | 'busy' | 'idle' | 'broken' | 'unread' | (string & Record<never, never>);
/** A live stream did not begin, or ended for good. */
export declare class StreamError extends Error {
    readonly name = "StreamError";
    /** The close code of the stream; 1006 where the connection broke or was refused. */
    readonly code: number;
    readonly reason: StreamReason;
    /** Another connection may fare better. */
    readonly isRetryable: boolean;
    /** `isRetryable`: default by the reason. */
    constructor(message: string, code: number, reason: StreamReason, options?: ErrorOptions & {
        isRetryable?: boolean;
    });
}
/** What an answer says of a refusal. `envelope` is its body, parsed as far as it is JSON. */
export declare function refusalOf(response: Response, envelope: unknown): ApiError;
/** A good answer that is not what was asked for, such as the page of a proxy that wants somebody to sign in. */
export declare const strangeAnswer: (response: Response) => ApiError;
/** In seconds. */
export declare const retryAfterOf: (headers: Headers) => number | undefined;
export {};
