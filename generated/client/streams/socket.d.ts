/* Generated from spec/ by npm run generate; never edited. */
/** What is used of a WebSocket: the platform's and that of `ws` have it alike. */
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
/** `WebSocket` of `ws`. */
export type SocketMaker = new (url: string, protocols: string[], options: {
    headers: Record<string, string>;
}) => StreamSocket;
/** What the platform has; Node has one from 22 on. */
export declare function platformSocket(): new (url: string) => StreamSocket;
/** How a stream ended. */
export interface StreamClose {
    code: number;
    reason: string;
    hasOpened: boolean;
}
/** Listens from the first moment on: what comes with the answer comes to nobody else. Resolves when it ends. */
export declare function untilClosed(socket: StreamSocket, { onOpen, onMessage }: {
    onOpen?: () => void;
    onMessage: (data: unknown) => void;
}): Promise<StreamClose>;
