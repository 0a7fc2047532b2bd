/* Generated from spec/ by npm run generate; never edited. */
import { type FollowOptions } from './follow.js';
import type { StreamConnector } from './stream-connector.js';
export interface CameraOptions {
    /** Name of one of the robot's cameras. Default: the first. */
    camera?: string;
    /** Maximum pictures per second. Default: all. */
    fps?: number;
    signal?: AbortSignal;
}
interface CameraFollow extends FollowOptions {
    query: {
        camera?: string | undefined;
        fps?: number | undefined;
    };
    /** If it returns a promise, reading pauses until that resolves, provided that the socket can pause. */
    onPicture(jpeg: Uint8Array): Promise<void> | undefined;
}
/** A camera's pictures, one whole JPEG each, across disconnects; see `follow`. */
export declare function followCamera(connector: StreamConnector, robotId: string, { query, onPicture, ...options }: CameraFollow): Promise<void>;
/** The same, picture by picture. A slow reader gets only the newest one. */
export declare function camera(connector: StreamConnector, robotId: string, { signal, ...query }?: CameraOptions): AsyncGenerator<Uint8Array, void>;
export {};
