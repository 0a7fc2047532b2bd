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
 * A fetch that repeats calls by the policy of `cli/transport/retry.ts`, but no uploads, whose file was read. All else is given back as it came.
 */
export declare function patientFetch(ask: (request: Request) => Promise<Response>, options: RetryOptions, mayRepeat: (request: Request) => boolean): (request: Request) => Promise<Response>;
export declare const isJson: (headers: Headers) => boolean;
