/* Generated from spec/ by npm run generate; never edited. */
import type { StreamConnector } from './stream-connector.js';
export interface OpenShellOptions {
    /** A program and its arguments, as they are: no shell takes them apart. Default: the login shell. */
    command?: string[];
    /** Whether it has a terminal there, in which both outputs are one. Default: a login shell has, a command has not. */
    tty?: boolean;
    /** Of the terminal; default 80 and 24. */
    cols?: number;
    rows?: number;
    /** What `TERM` is there; default `xterm-256color`. */
    term?: string;
    /** The connection is lost, and is tried again after so long. Default: nothing is told. */
    onLost?: (waitMs: number) => void;
    /** It is there again, and nothing was lost. */
    onResumed?: () => void;
    /** Ends the shell, as `close` does. */
    signal?: AbortSignal;
}
export type ShellSignal = 'INT' | 'TERM' | 'HUP' | 'QUIT' | 'KILL';
/** How it ended: one of the first two is there, unless this side left it. */
export interface ShellExit {
    code?: number;
    /** Such as `SIGKILL`. */
    signal?: string;
    /** By `close` or the signal of the options. Default: false. */
    isLeft?: boolean;
}
export interface ShellOutput {
    /** All of a terminal is `stdout`. */
    from: 'stdout' | 'stderr';
    bytes: Uint8Array;
}
/** What is shown is read once: by `outputs`, by `text`, or as the bytes of both outputs. Where nobody reads, a program that shows more than 1 MiB waits. */
export interface Shell extends AsyncIterable<Uint8Array> {
    /** As whom it runs there; undefined where the agent does not say. */
    readonly user: string | undefined;
    /** Whether the service keeps what is shown; of the connection there is now. */
    readonly isRecorded: boolean;
    outputs(): AsyncGenerator<ShellOutput, void>;
    /** Of UTF-8; no character is cut in two. What ends in the middle of one ends with U+FFFD. */
    text(): AsyncGenerator<string, void>;
    /** Resolves when more may be written: what the program does not take is kept up to 1 MiB. Rejects once the shell is over. */
    write(input: string | Uint8Array): Promise<void>;
    /** No more input comes; in a terminal that types ^D. */
    eof(): void;
    resize(size: {
        cols: number;
        rows: number;
    }): void;
    /** False if there is no connection now. */
    signal(name: ShellSignal): boolean;
    /** Once the program has ended and all that it showed has come. Rejects with StreamError where its end is not known. */
    ended: Promise<ShellExit>;
    /** Ends it. */
    close(): void;
}
/** Resolves when it runs. Rejects with StreamError or ApiError where there is none to be had, with the reason of the signal where that came first. */
export declare function openShell(connector: StreamConnector, robotId: string, options?: OpenShellOptions): Promise<Shell>;
