/* Generated from spec/ by npm run generate; never edited. */
export interface RetryOptions {
    /** Attempts per call, including the first; 1 disables retries. Default 5. */
    maxTries?: number;
    /** If the service asks for a longer wait, the call fails at once. Default 30 s. */
    maxWaitSeconds?: number;
    /**
     * Time limit of one attempt, for the whole response. Uploads have no limit, and downloads only until their headers.
     * Default 60 s.
     */
    timeoutSeconds?: number;
    /** Called before each wait, for example to log it. Default: nothing. */
    onRetry?: (retry: {
        method: string;
        url: string;
        attempt: number;
        waitMs: number;
        why: string;
    }) => void;
}
/**
 * A fetch that retries by the policy of `cli/transport/retry.ts`. Uploads are not retried: their file is already read.
 * All other outcomes are returned unchanged.
 */
export declare function retryingFetch(ask: (request: Request) => Promise<Response>, options: RetryOptions, mayRepeat: (request: Request) => boolean): (request: Request) => Promise<Response>;
export declare const isJson: (headers: Headers) => boolean;
