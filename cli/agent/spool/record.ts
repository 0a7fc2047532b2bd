import type { SpooledRecord } from '../../../generated/frames.js';

export type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** A record before the spool numbers it. */
export interface LogRecord {
  /** RFC 3339, by the robot's clock. */
  ts: string;
  level: Level;
  /** Such as `journal`, `file:/var/log/nav.log`, `exec:nav`, `agent`. */
  source: string;
  message: string;
  truncated?: true;
  unit?: string;
  pid?: number;
  fields?: Record<string, unknown>;
  /** A gap stands for this many records that were dropped. */
  type?: 'gap';
  dropped?: number;
  reason?: 'rate_limit' | 'quota' | 'damaged';
}

/** Position of a source at a record: JSON that only the source reads. */
export type Position = unknown;

/** What a line of a segment holds. */
interface SpooledLine {
  record: SpooledRecord;
  /** Of the record's source; undefined if the source starts over after a restart. */
  position?: Position;
}

/** Separates the record from its position: the JSON written here holds no raw tab. */
const separator = '\t';

export function lineOf(seq: number, record: LogRecord, position: Position): string {
  const text = JSON.stringify({ seq, ...record });
  return position === undefined ? `${text}\n` : `${text}${separator}${JSON.stringify(position)}\n`;
}

/** Undefined for a line that a power cut damaged. */
export function parseLine(line: string): SpooledLine | undefined {
  const end = line.indexOf(separator);
  try {
    const record: unknown = JSON.parse(end === -1 ? line : line.slice(0, end));
    if (typeof record !== 'object' || record === null || !('seq' in record)) return undefined;
    if (!Number.isSafeInteger(record.seq) || (record.seq as number) < 1) return undefined;
    const position: Position = end === -1 ? undefined : JSON.parse(line.slice(end + 1));
    return { record: record as SpooledRecord, ...(position !== undefined && { position }) };
  } catch {
    return undefined;
  }
}

/** Called with the number of lost records, a reason for programs and one for people. Ignores a number below 1. */
export type OnLost = (count: number, reason: 'quota' | 'damaged', why: string) => void;
