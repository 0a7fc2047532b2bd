/* Generated from spec/ by npm run generate; never edited. */
import type { StreamConnector } from './stream-connector.js';
export interface OpenShellOptions {
    /** A program and its arguments, passed unchanged: no shell parses them. Default: the login shell. */
    command?: string[];
    /**
     * Whether the robot allocates a terminal, which merges both outputs. Default: yes for a login shell, no for a
     * command.
     */
    tty?: boolean;
    /** Size of the terminal; default 80 × 24. */
    cols?: number;
    rows?: number;
    /** `TERM` on the robot; default `xterm-256color`. */
    term?: string;
    /** The connection is lost and is retried after this time. Default: nothing is reported. */
    onLost?: (waitMs: number) => void;
    /** The connection is restored, and nothing was lost. */
    onResumed?: () => void;
    /** Ends the shell, like `close`. */
    signal?: AbortSignal;
}
export type ShellSignal = 'INT' | 'TERM' | 'HUP' | 'QUIT' | 'KILL';
/** How the shell ended: has `code` or `signal`, unless this side ended it. */
export interface ShellExit {
    code?: number;
    /** Such as `SIGKILL`. */
    signal?: string;
    /** True after `close` or an abort of the `signal` option. Default: false. */
    isLeft?: boolean;
}
export interface ShellOutput {
    /** A terminal has only `stdout`. */
    from: 'stdout' | 'stderr';
    bytes: Uint8Array;
}
/**
 * The output can be read once: by `outputs`, by `text`, or as the bytes of both. Without a reader, a program with more
 * than 1 MiB of output waits.
 */
export interface Shell extends AsyncIterable<Uint8Array> {
    /** The account on the robot; undefined if the agent does not report it. */
    readonly user: string | undefined;
    /** Whether the service records the output of the current connection. */
    readonly isRecorded: boolean;
    outputs(): AsyncGenerator<ShellOutput, void>;
    /** Decoded UTF-8; no character is split. A truncated character at the end becomes U+FFFD. */
    text(): AsyncGenerator<string, void>;
    /**
     * Resolves when more may be written: up to 1 MiB that the program has not read is buffered. Rejects once the shell
     * has ended.
     */
    write(input: string | Uint8Array): Promise<void>;
    /** Ends the input; in a terminal this types ^D. */
    eof(): void;
    resize(size: {
        cols: number;
        rows: number;
    }): void;
    /** False without a connection. */
    signal(name: ShellSignal): boolean;
    /**
     * Resolves once the program has ended and all its output has arrived. Rejects with StreamError if its end is unknown.
     */
    ended: Promise<ShellExit>;
    /** Ends the shell. */
    close(): void;
}
/**
 * Resolves when the shell runs. Rejects with StreamError or ApiError if it cannot start, or with the signal's reason if
 * it aborts first.
 */
export declare function openShell(connector: StreamConnector, robotId: string, options?: OpenShellOptions): Promise<Shell>;
