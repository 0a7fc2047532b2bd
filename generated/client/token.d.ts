/* Generated from spec/ by npm run generate; never edited. */
/**
 * A token, or a function that returns one. It is called before each call and each connection, for tokens that are
 * replaced at runtime.
 */
export type TokenSource = string | undefined | (() => string | Promise<string>);
/** Returns the token to send. Throws at once if there is none. Errors end up in logs, so none contains the token. */
export declare function tokenOf(source: TokenSource): () => Promise<string>;
