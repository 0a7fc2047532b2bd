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
