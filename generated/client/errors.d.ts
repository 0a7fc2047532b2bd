/* Generated from spec/ by npm run generate; never edited. */
import type { components } from '../api.d.ts';
type KnownCode = components['schemas']['ErrorBody']['code'];
/** The service refused the request, or failed. */
export declare class ApiError extends Error {
    readonly name = "ApiError";
    readonly status: number;
    /** From the error envelope; `http_error` if there was none, so the response is not the service's. */
    readonly code: KnownCode;
    /** Identifies the call in the service's log; default none. */
    readonly requestId: string | undefined;
    /** Seconds to wait before a retry; default none. */
    readonly retryAfter: number | undefined;
    /** The same call may succeed later; its retries are used up, or it is not safe to repeat. */
    readonly isRetryable: boolean;
    constructor(message: string, facts: Pick<ApiError, 'status' | 'code' | 'requestId' | 'retryAfter'>);
}
/** No complete response arrived; `cause` has the platform's details. The request may have taken effect. */
export declare class ConnectionError extends Error {
    readonly name = "ConnectionError";
}
/**
 * Why a live stream did not open, or ended permanently. `unopened`: the connection failed, and a browser gives no
 * details; `lost`: it broke; `gone`: there is nothing left to resume; `replaced`: another connection took over the
 * shell; `idle`: no input or output for too long; `broken`: the robot's agent violated the protocol; `unread`: the
 * output of a raw shell was not read. Open enum: expect new values.
 */
export type StreamReason = 'unopened' | 'lost' | 'ended' | 'offline' | 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'invalid' | 'unsupported' | 'restarting' | 'failed' | 'gone' | 'replaced' | 'busy' | 'idle' | 'broken' | 'unread' | (string & Record<never, never>);
/** A live stream did not open, or ended permanently. */
export declare class StreamError extends Error {
    readonly name = "StreamError";
    /** The close code of the stream; 1006 if the connection broke or was refused. */
    readonly code: number;
    readonly reason: StreamReason;
    /** A reconnect may succeed. */
    readonly isRetryable: boolean;
    /** `isRetryable`: default by the reason. */
    constructor(message: string, code: number, reason: StreamReason, options?: ErrorOptions & {
        isRetryable?: boolean;
    });
}
/** The error for a refused request. `envelope` is the response's body, as far as it is valid JSON. */
export declare function refusalOf(response: Response, envelope: unknown): ApiError;
/** A successful response of the wrong kind, such as the sign-in page of a proxy. */
export declare const strangeAnswer: (response: Response) => ApiError;
/** In seconds. */
export declare const retryAfterOf: (headers: Headers) => number | undefined;
export {};
