/* Generated from spec/ by npm run generate; never edited. */
import type { StreamKind } from '../types.js';
import { type CameraOptions } from './camera.js';
import { type LogGap, type LogOptions, type LogRecord } from './logs.js';
import { type OpenShellOptions, type Shell } from './open-shell.js';
import { type RawShell, type ShellOptions } from './shell.js';
import { type SocketMaker } from './socket-maker.js';
import { type TopicFrame, type TopicOptions } from './topic.js';
/**
 * What is live at a robot. The streams that are read outlast lost connections and throw StreamError where trying again cannot help; a robot that is away at
 * the beginning is such a case.
 */
export interface Streams {
    /** Stored and live records joined, without a gap and without a double. */
    logs(robotId: string, options?: LogOptions): AsyncGenerator<LogRecord | LogGap, void>;
    /** Whole JPEGs, the newest where the reader is slow. */
    camera(robotId: string, options?: CameraOptions): AsyncGenerator<Uint8Array, void>;
    /** What is published on a ROS topic. */
    topic(robotId: string, name: string, options?: TopicOptions): AsyncGenerator<TopicFrame, void>;
    /** A shell or a command, by `fleet.shell.v1`: it outlasts lost connections for as long as the robot waits, and tells how it ended. */
    openShell(robotId: string, options?: OpenShellOptions): Promise<Shell>;
    /** A terminal; its bytes as they are, for agents that know no `fleet.shell.v1`. */
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
