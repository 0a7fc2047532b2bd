/* Generated from spec/ by npm run generate; never edited. */
import type { StreamSocket } from './stream-socket.js';
/** `WebSocket` of `ws`. */
export type SocketMaker = new (url: string, protocols: string[], options: {
    headers: Record<string, string>;
    perMessageDeflate: boolean;
    maxPayload: number;
}) => StreamSocket;
/** No stream has larger frames than a camera; the sender of one is not the service. */
export declare const maxFrameBytes: 917504;
type PlatformSocket = new (url: string, protocols: string[]) => StreamSocket;
/** What the platform has; Node has one from 22 on. */
export declare function platformSocket(): PlatformSocket;
export {};
