/* Generated from spec/ by npm run generate; never edited. */
import type { StreamKind } from '../types.js';
import { type CameraOptions } from './camera.js';
import { type LogGap, type LogOptions, type LogRecord } from './logs.js';
import { type OpenShellOptions, type Shell } from './open-shell.js';
import { type RawShell, type ShellOptions } from './shell.js';
import { type SocketMaker } from './socket-maker.js';
import { type TopicFrame, type TopicOptions } from './topic.js';
/**
 * Live streams of a robot. Streams that are read reconnect, and throw StreamError if a retry cannot help, for example
 * if the robot is offline at the beginning.
 */
export interface Streams {
    /** Stored and live records, without gaps or duplicates. */
    logs(robotId: string, options?: LogOptions): AsyncGenerator<LogRecord | LogGap, void>;
    /** Whole JPEGs; only the newest if the reader is slow. */
    camera(robotId: string, options?: CameraOptions): AsyncGenerator<Uint8Array, void>;
    /** The messages of a ROS topic. */
    topic(robotId: string, name: string, options?: TopicOptions): AsyncGenerator<TopicFrame, void>;
    /** A shell or a command over `fleet.shell.v1`: it reconnects as long as the robot waits, and reports how it ended. */
    openShell(robotId: string, options?: OpenShellOptions): Promise<Shell>;
    /** A terminal with raw bytes, for agents without `fleet.shell.v1`. */
    shell(robotId: string, options?: ShellOptions): Promise<RawShell>;
}
interface StreamAccess {
    baseUrl: string;
    token: () => Promise<string>;
    orgId: string | undefined;
    socketMaker: SocketMaker | undefined;
    silentSeconds: number;
    userAgent: Readonly<Record<string, string>>;
    ticket(robotId: string, kind: StreamKind): Promise<string>;
    newestSeq(robotId: string): Promise<number>;
}
export declare function streamsOf(access: StreamAccess): Streams;
export {};
