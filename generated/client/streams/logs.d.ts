/* Generated from spec/ by npm run generate; never edited. */
import type { components } from '../../api.d.ts';
import { type FollowOptions } from './follow.js';
import type { StreamConnector } from './stream-connector.js';
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
interface LogFilter {
    level?: string | undefined;
    source?: string | undefined;
    q?: string | undefined;
}
/** Where live logs begin: behind a record, with so many stored ones, or with those received from a time on. Default: with what comes. */
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
    /** Records received from then on, RFC 3339. */
    since?: string;
    /** So many stored records first. Default 0. */
    tail?: number;
    /** Only records after this `seq`. */
    after?: number;
    /** Ends it in order. */
    signal?: AbortSignal;
}
interface LogFollow extends FollowOptions {
    filter: LogFilter;
    /** Asked before each connection until the place of one is known. */
    start(): LogStart | Promise<LogStart>;
    /** Where it gives a promise, no more is read until that resolves. `text`: the record as it came. */
    onRecord(record: LogRecord | LogGap, text: string): Promise<void> | undefined;
    isBehind?: () => boolean;
}
/** Joins what was stored with what comes, without a gap and without a double, over every loss of the connection; see `follow`. */
export declare function followLogs(connector: StreamConnector, robotId: string, settings: LogFollow): Promise<void>;
/** The same, record by record. `newestSeq`: of the records that are stored. */
export declare function logs(connector: StreamConnector, robotId: string, { signal, tail, since, after, ...filter }: LogOptions, newestSeq: () => Promise<number>): AsyncGenerator<LogRecord | LogGap, void>;
export {};
