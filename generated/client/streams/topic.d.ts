/* Generated from spec/ by npm run generate; never edited. */
import { type FollowOptions } from './follow.js';
import type { StreamConnector } from './stream-connector.js';
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
interface TopicFollow extends FollowOptions {
    query: {
        hz?: number | undefined;
        source?: string | undefined;
    };
    /** Where it gives a promise, no more is read until that resolves. `text`: the frame as it came. */
    onFrame(frame: TopicFrame, text: string): Promise<void> | undefined;
}
/** What is published on a ROS topic, over every loss of the connection; see `follow`. */
export declare function followTopic(connector: StreamConnector, robotId: string, name: string, { query, onFrame, ...options }: TopicFollow): Promise<void>;
/** A message, and not a word about the topic: its type has a slash. */
export declare const isMessage: ({ type }: Pick<TopicFrame, "type">) => boolean;
/** The same, frame by frame. */
export declare function topic(connector: StreamConnector, robotId: string, name: string, { signal, ...query }?: TopicOptions): AsyncGenerator<TopicFrame, void>;
export {};
