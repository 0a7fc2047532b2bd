/* Generated from spec/ by npm run generate; never edited. */
import { type StreamConnector } from './stream-connector.js';
export interface CameraOptions {
    /** Name of one of its cameras. Default: the first. */
    camera?: string;
    /** Pictures a second at most. Default: as many as there are. */
    fps?: number;
    signal?: AbortSignal;
}
export interface TopicOptions {
    /** Messages a second at most. Default: as many as there are. */
    hz?: number;
    /** The graph, where the robot has several that know the topic. */
    source?: string;
    signal?: AbortSignal;
}
/** One message of a topic (its type has a slash), how many were dropped (`gap`), or what a person should know of it (`status`). */
export interface TopicFrame {
    type: string;
    ts: string;
    [field: string]: unknown;
}
/** What a camera sees, one whole JPEG each. Who is slow gets the newest picture, and not older ones. */
export declare function camera(door: StreamConnector, robotId: string, { signal, ...query }?: CameraOptions): AsyncGenerator<Uint8Array, void>;
/** What is published on a ROS topic, as JSON. */
export declare function topic(door: StreamConnector, robotId: string, name: string, { signal, ...query }?: TopicOptions): AsyncGenerator<TopicFrame, void>;
