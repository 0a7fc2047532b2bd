/* Generated from spec/ by npm run generate; never edited. */
/** Resolves after that time; rejects with the reason of the signal as soon as it comes. */
export declare function pause(ms: number, signal?: AbortSignal): Promise<void>;
/** Why it was given up, as an error. */
export declare function reasonOf(signal: AbortSignal | undefined): Error;
