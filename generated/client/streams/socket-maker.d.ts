/* Generated from spec/ by npm run generate; never edited. */
import type { StreamSocket } from './stream-socket.js';
/** `WebSocket` of `ws`. */
export type SocketMaker = new (url: string, protocols: string[], options: {
    headers: Record<string, string>;
    perMessageDeflate: boolean;
    maxPayload: number;
}) => StreamSocket;
/** A camera has the largest frames of all streams; the sender of a larger one is not the service. */
export declare const maxFrameBytes: 917504;
type PlatformSocket = new (url: string, protocols: string[]) => StreamSocket;
/** The platform's WebSocket; Node has one from version 22. */
export declare function platformSocket(): PlatformSocket;
export {};
