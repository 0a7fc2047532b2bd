/* Generated from spec/ by npm run generate; never edited. */
export interface RetryOptions {
    /** Tries of one call, the first among them; 1 to never try again. Default 5. */
    maxTries?: number;
    /** A call that is told to come back later than so is given up at once. Default 30 s. */
    maxWaitSeconds?: number;
    /** One try has its whole answer within so long, or has failed. Uploads have as long as they take, and files after their headers. Default 60 s. */
    timeoutSeconds?: number;
    /** Called before each wait, for a log of one's own. Default: nothing. */
    onRetry?: (retry: {
        method: string;
        url: string;
        attempt: number;
        waitMs: number;
        why: string;
    }) => void;
}
/**
 * A fetch that asks again where that is harmless: reads, and calls whose Idempotency-Key makes that their repetition does nothing. After 409 with Retry-After (the
 * first call with that key is still in flight), 429, 502, 503, 504, and connections that were lost; any other call after 429 only, for it was not begun. All else is
 * given back as it came.
 */
export declare function patientFetch(ask: (request: Request) => Promise<Response>, options: RetryOptions, isHarmless: (request: Request) => boolean): (request: Request) => Promise<Response>;
export declare const isJson: (headers: Headers) => boolean;
