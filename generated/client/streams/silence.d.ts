/* Generated from spec/ by npm run generate; never edited. */
import type { StreamSocket } from './socket.js';
interface Watch {
    /** Something came. */
    heard(): void;
    stop(): void;
}
/**
 * Ends a socket on which nothing came for `silentSeconds`, and tells so: a network that stands still ends no connection by itself. `ws` is asked by pings. Other
 * sockets show none, so twice as much silence is the end of them, counted while `isAwaiting`. All is counted in looks: after the machine slept, the clock says
 * nothing about the other side.
 */
export declare function watchSilence(socket: StreamSocket, silentSeconds: number, isAwaiting: () => boolean, onSilent: () => void): Watch;
export {};
