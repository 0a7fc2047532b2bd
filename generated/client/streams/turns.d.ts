/* Generated from spec/ by npm run generate; never edited. */
/** Input in the order in which it was given, at the pace at which it is taken. */
interface Turns {
    /** Resolves when more may come. `put` says so by true; it waits for `go` else. Rejects once it is over. */
    take(bytes: Uint8Array, put: (piece: Uint8Array) => boolean): Promise<void>;
    /** After all that was taken. */
    last(act: () => void): Promise<void>;
    go(): void;
    /** Nothing is taken any more. */
    end(): void;
}
export declare function turnsOf(): Turns;
export {};
