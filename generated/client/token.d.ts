/* Generated from spec/ by npm run generate; never edited. */
/** A token, or what gives one: it is asked before each call and each connection, for tokens that are replaced while the program runs. */
export type TokenSource = string | undefined | (() => string | Promise<string>);
/** What is to be sent. Throws at once where there is none; errors end up in logs, so none of them holds it. */
export declare function tokenOf(source: TokenSource): () => Promise<string>;
