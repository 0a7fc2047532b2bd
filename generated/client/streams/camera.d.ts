/* Generated from spec/ by npm run generate; never edited. */
import { type FollowOptions } from './follow.js';
import type { StreamConnector } from './stream-connector.js';
export interface CameraOptions {
    /** Name of one of its cameras. Default: the first. */
    camera?: string;
    /** Pictures a second at most. Default: as many as there are. */
    fps?: number;
    signal?: AbortSignal;
}
interface CameraFollow extends FollowOptions {
    query: {
        camera?: string | undefined;
        fps?: number | undefined;
    };
    /** Where it gives a promise, no more is read until that resolves, if the socket can be paused. */
    onPicture(jpeg: Uint8Array): Promise<void> | undefined;
}
/** What a camera sees, one whole JPEG each, over every loss of the connection; see `follow`. */
export declare function followCamera(connector: StreamConnector, robotId: string, { query, onPicture, ...options }: CameraFollow): Promise<void>;
/** The same, picture by picture. A slow reader gets the newest one, and not older ones. */
export declare function camera(connector: StreamConnector, robotId: string, { signal, ...query }?: CameraOptions): AsyncGenerator<Uint8Array, void>;
export {};
