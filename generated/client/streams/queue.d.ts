/* Generated from spec/ by npm run generate; never edited. */
/** Hands what comes to who reads, in order. */
export interface Queue<T> {
    put(item: T): void;
    /** Nothing comes any more; `error` is thrown to the reader after what there is. Default: an end in order. */
    end(error?: Error): void;
    /** How many wait. */
    readonly size: number;
    /** The next one; undefined at the end. */
    next(): Promise<T | undefined>;
}
/** How much may wait; the oldest go where it is more. */
interface Keeping<T> {
    most: number;
    /** What is read in the place of those that went; default nothing. */
    gapOf?: (gone: readonly T[]) => T;
}
/** Default: all wait. */
export declare function queueOf<T extends object>({ most, gapOf }?: Keeping<T>): Queue<T>;
export {};
