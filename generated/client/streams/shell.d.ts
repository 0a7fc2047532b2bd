/* Generated from spec/ by npm run generate; never edited. */
import type { StreamConnector } from './stream-connector.js';
export interface ShellOptions {
    cols?: number;
    rows?: number;
    /** Ends the shell. */
    signal?: AbortSignal;
}
/**
 * A shell on a robot: its terminal output and input. Up to 64 MiB of output waits for the reader; beyond that the shell
 * ends with `unread`.
 */
export interface RawShell extends AsyncIterable<Uint8Array> {
    /** Types the text. */
    write(text: string | Uint8Array): void;
    /**
     * How the program ended, such as `exit 0` or `signal SIGKILL`, after all its output was read. Rejects with
     * StreamError if the connection was lost.
     */
    ended: Promise<string>;
    close(): void;
}
/**
 * Opens a raw shell. Rejects with StreamError if it cannot start. A lost connection ends it: `openShell` resumes, this
 * does not.
 */
export declare function shell(connector: StreamConnector, robotId: string, options?: ShellOptions): Promise<RawShell>;
