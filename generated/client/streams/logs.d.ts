/* Generated from spec/ by npm run generate; never edited. */
import type { components } from '../../api.d.ts';
import { type StreamConnector } from './stream-connector.js';
export type LogRecord = components['schemas']['LogRecord'];
/** Records that were not sent, for the reader was too slow. They are stored, and can be read. */
export interface LogGap {
    type: 'gap';
    ts: string;
    level: string;
    source: string;
    message: string;
    dropped: number;
    from_seq: number;
    to_seq: number;
    reason: string;
}
/** Which records; see `/api/robots/{id}/logs/ws` in `/asyncapi.json`. */
export interface LogOptions {
    level?: LogRecord['level'];
    source?: string;
    q?: string;
    /** Records received from then on, RFC 3339. */
    since?: string;
    /** So many stored records first. Default 0. */
    tail?: number;
    /** Only records after this `seq`. */
    after?: number;
    /** Ends it in order. */
    signal?: AbortSignal;
}
/** Stored and live records joined, without a gap and without a double, over every loss of the connection. */
export declare function logs(door: StreamConnector, robotId: string, options?: LogOptions): AsyncGenerator<LogRecord | LogGap, void>;
