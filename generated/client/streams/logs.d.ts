/* Generated from spec/ by npm run generate; never edited. */
import type { components } from '../../api.d.ts';
import { type FollowOptions } from './follow.js';
import type { StreamConnector } from './stream-connector.js';
export type LogRecord = components['schemas']['LogRecord'];
/** Records that were not sent because the reader was too slow. They are stored, and can be read. */
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
interface LogFilter {
    level?: string | undefined;
    source?: string | undefined;
    q?: string | undefined;
}
/**
 * Where live logs begin: after a record, with a number of stored ones, or at a receive time. Default: with new records.
 */
export interface LogStart {
    after?: number | undefined;
    tail?: number | undefined;
    since?: string | undefined;
}
/** Which records; see `/api/robots/{id}/logs/ws` in `/asyncapi.json`. */
export interface LogOptions {
    level?: LogRecord['level'];
    source?: string;
    q?: string;
    /** Only records received from this time on, RFC 3339. */
    since?: string;
    /** Number of stored records to send first. Default 0. */
    tail?: number;
    /** Only records after this `seq`. */
    after?: number;
    /** Ends the stream in order. */
    signal?: AbortSignal;
}
interface LogFollow extends FollowOptions {
    filter: LogFilter;
    /** Called before each connection until a position is known. */
    start(): LogStart | Promise<LogStart>;
    /**
     * Returns the record after which to start instead, if the stream cannot be opened now: `tail` would later leave out
     * older ones of the records that are stored meanwhile. Default: `start` decides again.
     */
    startLater?: (() => Promise<number>) | undefined;
    /** If it returns a promise, reading pauses until that resolves. `text`: the record as received. */
    onRecord(record: LogRecord | LogGap, text: string): Promise<void> | undefined;
    isBehind?: () => boolean;
}
/** Joins stored and live records without gaps or duplicates, across disconnects; see `follow`. */
export declare function followLogs(connector: StreamConnector, robotId: string, settings: LogFollow): Promise<void>;
/** The same, record by record. `newestSeq` returns that of the stored records. */
export declare function logs(connector: StreamConnector, robotId: string, { signal, tail, since, after, ...filter }: LogOptions, newestSeq: () => Promise<number>): AsyncGenerator<LogRecord | LogGap, void>;
export {};
