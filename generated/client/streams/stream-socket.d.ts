/* Generated from spec/ by npm run generate; never edited. */
/** The part of WebSocket that the platform and `ws` have in common. */
export interface StreamSocket {
    binaryType: string;
    readonly readyState: number;
    send(data: string | Uint8Array): void;
    close(code?: number, reason?: string): void;
    addEventListener(type: 'open', listener: () => void): void;
    addEventListener(type: 'message', listener: (event: {
        data: unknown;
    }) => void): void;
    addEventListener(type: 'close', listener: (event: {
        code: number;
        reason: string;
    }) => void): void;
    addEventListener(type: 'error', listener: (event: object) => void): void;
}
/** Methods that only `ws` sockets have. */
interface NodeSocket {
    ping(): void;
    /** Ends the connection at once. */
    terminate(): void;
    pause(): void;
    resume(): void;
    on(type: 'ping' | 'pong', listener: () => void): unknown;
}
/** `readyState` of a socket that is open, and of one that has closed. */
export declare const socketIsOpen = 1;
export declare const socketHasClosed = 3;
/** The socket if it is one of `ws`; undefined for a browser's, which shows no pings and cannot pause. */
export declare const nodeSocketOf: (socket: object) => NodeSocket | undefined;
export {};
