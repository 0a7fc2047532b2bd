/* Generated from spec/ by npm run generate; never edited. */
import type { StreamConnector } from './stream-connector.js';
export interface ShellOptions {
    cols?: number;
    rows?: number;
    /** Ends the shell. */
    signal?: AbortSignal;
}
/** A shell on a robot: what its terminal shows, and what is typed into it. What it shows waits for who reads it, up to 64 MiB; a shell that is further ahead is ended, by `unread`. */
export interface RawShell extends AsyncIterable<Uint8Array> {
    /** Types. */
    write(text: string | Uint8Array): void;
    /** How the program ended, such as `exit 0` or `signal SIGKILL`, once all that it showed was read. Rejects with StreamError where the connection was lost. */
    ended: Promise<string>;
    close(): void;
}
/** Opens one. Rejects with StreamError where there is none to be had. A shell that lost its connection is over: `openShell` goes on with it, this does not. */
export declare function shell(connector: StreamConnector, robotId: string, options?: ShellOptions): Promise<RawShell>;
