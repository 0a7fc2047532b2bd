/* Generated from spec/ by npm run generate; never edited. */
import { type FollowOptions } from './follow.js';
import type { StreamConnector } from './stream-connector.js';
export interface TopicOptions {
    /** Maximum messages per second. Default: all. */
    hz?: number;
    /** The ROS graph, if the robot has several with the topic. */
    source?: string;
    signal?: AbortSignal;
}
/**
 * A message of a topic (its type has a slash), the number of dropped ones (`gap`), or information for people
 * (`status`).
 */
export interface TopicFrame {
    type: string;
    ts: string;
    [field: string]: unknown;
}
interface TopicFollow extends FollowOptions {
    query: {
        hz?: number | undefined;
        source?: string | undefined;
    };
    /** If it returns a promise, reading pauses until that resolves. `text`: the frame as received. */
    onFrame(frame: TopicFrame, text: string): Promise<void> | undefined;
}
/** The messages of a ROS topic, across disconnects; see `follow`. */
export declare function followTopic(connector: StreamConnector, robotId: string, name: string, { query, onFrame, ...options }: TopicFollow): Promise<void>;
/** True for a message, whose type has a slash. */
export declare const isMessage: ({ type }: Pick<TopicFrame, "type">) => boolean;
/** The same, frame by frame. */
export declare function topic(connector: StreamConnector, robotId: string, name: string, { signal, ...query }?: TopicOptions): AsyncGenerator<TopicFrame, void>;
export {};
