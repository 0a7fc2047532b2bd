/* Generated from spec/ by npm run generate; never edited. */
import type { StreamSocket } from './stream-socket.js';
/** `WebSocket` of `ws`. */
export type SocketMaker = new (url: string, protocols: string[], options: {
    headers: Record<string, string>;
    perMessageDeflate: boolean;
    maxPayload: number;
}) => StreamSocket;
/** No stream has larger frames than a camera; whoever sends one is not the service. */
export declare const maxFrameBytes: 917504;
type PlatformSocket = new (url: string, protocols: string[]) => StreamSocket;
/** What the platform has; Node has one from 22 on. */
export declare function platformSocket(): PlatformSocket;
/** How a stream ended. */
export interface StreamClose {
    /** 1006 where it broke, was refused, or fell silent. */
    code: number;
    reason: string;
    hasOpened: boolean;
    isSilent: boolean;
}
interface Listener {
    /** Of the network; see `watchSilence`. */
    silentSeconds: number;
    onOpen?: () => void;
    onMessage: (data: unknown) => void;
    /** Whether something is to come, where no ping tells that the network is there. Default: always. */
    isAwaiting?: () => boolean;
}
/** Listens from the first moment on: what comes with the answer comes to nobody else. Resolves when it ends; nothing is told after it. */
export declare function untilClosed(socket: StreamSocket, listener: Listener): Promise<StreamClose>;
export {};
