/* Generated from spec/ by npm run generate; never edited. */
import type { ConnectionListener, ShellConnection } from '../../shell/lasting.js';
import { StreamError } from '../errors.js';
import { type StreamSocket } from './socket.js';
/** How a connection of a shell ended, or why there is none. */
export interface ConnectionEnd {
    isFinal: boolean;
    error: StreamError;
}
/** Speaks `fleet.shell.v1` on a socket that is being opened. */
export declare function shellConnection(socket: StreamSocket, silentSeconds: number, told: ConnectionListener<ConnectionEnd>): Promise<ShellConnection | ConnectionEnd>;
export declare const agentBroke: (what: string) => StreamError;
