import { badRequest } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { levels, type Level } from '../kernel/log-levels.ts';

export { levels, type Level };

/** Other names of levels that programs use (syslog, Java, Python, ROS). */
const otherNames: Record<string, Level> = {
  trace: 'debug',
  notice: 'info',
  warning: 'warn',
  err: 'error',
  crit: 'fatal',
  critical: 'fatal',
  alert: 'fatal',
  emerg: 'fatal',
};

/** The intended level, ignoring case; info if there is none. */
export function readLevel(sent: unknown): Level {
  const name = typeof sent === 'string' ? sent.toLowerCase() : '';
  return (levels.find((level) => level === name) ?? (Object.hasOwn(otherNames, name) && otherNames[name])) || 'info';
}

/** 1 for debug to 5 for fatal. A chunk has the highest of its records. */
export const levelRank = (level: Level): number => levels.indexOf(level) + 1;

/**
 * A record as it is stored: a line of JSON in a chunk. Names are those of the wire, so a line is read as it was
 * written.
 */
export interface KeptRecord {
  type?: 'gap';
  ts?: string;
  level: Level;
  source: string;
  message: string;
  truncated?: true;
  redacted?: true;
  unit?: string;
  pid?: number;
  node?: string;
  fields?: Record<string, unknown>;
  fields_dropped?: true;
  dropped?: number;
  reason?: string;
}

/** A record with what the service adds. */
export interface LogRecord extends Position {
  kept: KeptRecord;
}

/** The position of a record. Records are ordered by these three, within one robot and across robots. */
export interface Position {
  receivedAtMs: number;
  robotId: string;
  seq: number;
}

export function comparePositions(a: Position, b: Position): number {
  if (a.receivedAtMs !== b.receivedAtMs) return a.receivedAtMs - b.receivedAtMs;
  if (a.robotId !== b.robotId) return a.robotId < b.robotId ? -1 : 1;
  return a.seq - b.seq;
}

/** How far the records of one robot are read. */
export interface LogMark {
  seq: number; // of the last record
  /** No record after it was received before this time. Undefined: unknown. */
  atMs?: number | undefined;
}

/** Of a partition of chunks. */
export const dayMs = 86_400_000;

/** Only chunks received within one such span are merged, so no chunk reaches back beyond its span. Divides a day. */
export const spanMs = 600_000;

/** The end of the span that an instant is in: no chunk with a record of that instant was received at or after it. */
export const spanEnd = (ms: number): number => (Math.floor(ms / spanMs) + 1) * spanMs;

/** What a reader requests. Times are of `received_at`. */
export interface LogQuery {
  limit: number; // records at most
  level?: Level | undefined; // and above
  source?: string | undefined;
  text?: string | undefined; // in the message, ignoring case
  since?: Date | undefined; // inclusive
  until?: Date | undefined; // exclusive
}

/** Whether a record matches the query. */
export function logFilter({ level, source, text }: Pick<LogQuery, 'level' | 'source' | 'text'>) {
  const least = level ? levelRank(level) : 1;
  const wanted = text?.toLowerCase();
  return (kept: KeptRecord): boolean =>
    levelRank(kept.level) >= least &&
    (source === undefined || kept.source === source) &&
    (wanted === undefined || kept.message.toLowerCase().includes(wanted));
}

export interface LogPage {
  records: LogRecord[]; // oldest first
  /** Where to continue; undefined if there is nothing more. */
  next: string | undefined;
}

/** Records in a page without a `limit`. */
export const usualLimit = 200;

/** The cursor of a page that reads back in time: it continues before this position. */
export const encodePosition = ({ receivedAtMs, robotId, seq }: Position): string =>
  Buffer.from(`${receivedAtMs}.${robotId}.${seq}`).toString('base64url');

/** @throws bad_request for a text that is not one of these cursors */
export function decodePosition(cursor: string): Position {
  const [ms = '', robotId = '', seq = '', ...more] = Buffer.from(cursor, 'base64url').toString('latin1').split('.');
  if (!/^\d{1,15}$/.test(ms) || !isId(robotId) || !/^\d{1,15}$/.test(seq) || more.length > 0) throw foreign();
  return { receivedAtMs: Number(ms), robotId, seq: Number(seq) };
}

/** The cursor of a page that reads on from `after`: it continues after this number. */
export const encodeSeq = (seq: number): string => Buffer.from(`after.${seq}`).toString('base64url');

/** @throws bad_request for a text that is not one of these cursors */
export function decodeSeq(cursor: string): number {
  const [, seq] = /^after\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (seq === undefined) throw foreign();
  return Number(seq);
}

const foreign = () => badRequest('cursor: not a next_cursor of this list');
