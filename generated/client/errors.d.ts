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
    constructor(message: string, facts: Pick<ApiError, 'status' | 'code' | 'requestId' | 'retryAfter'>);
}
/** No answer came, or not a whole one; `cause` says what the platform knows of it. What was asked may be done already. */
export declare class ConnectionError extends Error {
    readonly name = "ConnectionError";
}
/** A live stream did not begin, or ended for good. */
export declare class StreamError extends Error {
    readonly name = "StreamError";
    /** The close code of the stream; 1006 where the connection broke or was refused. */
    readonly code: number;
    constructor(message: string, code: number);
}
/** What an answer says of a refusal. `envelope` is its body, parsed as far as it is JSON. */
export declare function refusalOf({ status, headers }: Response, envelope: unknown): ApiError;
/** The service says seconds; a date, which others say, is none of its answers. */
export declare function retryAfterOf(headers: Headers): number | undefined;
export {};
