import { limits } from '../../../generated/protocol.js';
import type { Level, LogRecord } from '../spool/record.ts';

/** Fields with longer JSON are left out: the message matters more. */
const maxFieldsBytes = 16 * 1024;

/**
 * The record of one line. JSON and logfmt lines provide their own time, level and message; without a message key the
 * whole line is the message. Any other line is a message of level info, written now.
 */
export function recordOf(source: string, text: string, isCut = false): LogRecord {
  const said = isCut ? undefined : (jsonLine(text) ?? logfmtLine(text));
  const { message, isLong } = cutMessage(said?.message ?? text);
  const fields = said && smallFields(said.fields);
  return {
    ts: said?.ts ?? new Date().toISOString(),
    level: said?.level ?? 'info',
    source,
    message,
    ...((isCut || isLong) && { truncated: true }),
    ...(fields && { fields }),
  };
}

/** A name usually has a few dozen characters. One that exceeds the maximum frame to the service would end each link. */
export const cutName = (name: string): string => name.slice(0, 256);

/** At most 16 KiB of UTF-8, cut between two characters. */
export function cutMessage(text: string): { message: string; isLong: boolean } {
  if (Buffer.byteLength(text) <= limits.maxMessageBytes) return { message: text, isLong: false };
  const bytes = Buffer.from(text);
  let end: number = limits.maxMessageBytes;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return { message: bytes.toString('utf8', 0, end), isLong: true };
}

interface Said {
  message: string | undefined; // undefined: the whole line
  level: Level | undefined;
  ts: string | undefined;
  fields: Record<string, unknown>;
}

function jsonLine(text: string): Said | undefined {
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  try {
    return saidBy(JSON.parse(text) as Record<string, unknown>);
  } catch {
    return undefined;
  }
}

/** `key=value` and `key="a value"`, over the whole line. */
const logfmt = /^(?:[A-Za-z_][\w.-]*=(?:"(?:[^"\\]|\\.)*"|[^\s"]*)(?:\s+|$))+$/;
const logfmtPair = /([A-Za-z_][\w.-]*)=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))/g;

function logfmtLine(text: string): Said | undefined {
  // The cheap test first: most lines are not logfmt.
  if (!/\b(level|severity|lvl)=/.test(text) || !logfmt.test(text)) return undefined;
  const pairs = [...text.matchAll(logfmtPair)];
  return saidBy(
    Object.fromEntries(
      pairs.map(([, key = '', quoted, bare = '']) => [key, quoted?.replace(/\\(["\\])/g, '$1') ?? bare]),
    ),
  );
}

/** The first of them that is a text is the message. `event` is the key of structlog. */
const messageKeys = ['msg', 'message', 'event'] as const;

function saidBy(line: Record<string, unknown>): Said | undefined {
  const { level, severity, lvl, time, ts, timestamp, ...others } = line;
  const said = level ?? severity ?? lvl;
  const at = { level: levelOf(said), ts: instantOf(time ?? ts ?? timestamp) };
  const key = messageKeys.find((each) => typeof others[each] === 'string');
  // Without a message only the name of a level makes a log line: a measured `level` is a number, and a lone
  // `level=error` is a setting.
  const isLog = typeof said === 'string' && at.level !== undefined && Object.keys(line).length > 1;
  if (!isLog && (key === undefined || key === 'event')) return undefined;
  if (key === undefined) return { ...at, message: undefined, fields: {} };
  const { [key]: message, ...fields } = others;
  return { ...at, message: message as string, fields }; // a text, or it had not been found
}

const levels: Record<string, Level> = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  information: 'info',
  notice: 'info',
  warn: 'warn',
  warning: 'warn',
  err: 'error',
  error: 'error',
  crit: 'fatal',
  critical: 'fatal',
  alert: 'fatal',
  emerg: 'fatal',
  panic: 'fatal',
  fatal: 'fatal',
};

/** Level names as programs write them, and the numbers of pino and bunyan. */
function levelOf(said: unknown): Level | undefined {
  if (typeof said === 'string')
    return Object.hasOwn(levels, said.toLowerCase()) ? levels[said.toLowerCase()] : undefined;
  if (typeof said !== 'number' || said < 10) return undefined;
  return said < 30 ? 'debug' : said < 40 ? 'info' : said < 50 ? 'warn' : said < 60 ? 'error' : 'fatal';
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

/** Seconds, milliseconds, microseconds or nanoseconds since 1970, distinguished by size, or RFC 3339 unchanged. */
function instantOf(said: unknown): string | undefined {
  if (typeof said === 'string' && rfc3339.test(said) && !Number.isNaN(Date.parse(said))) return said.replace(' ', 'T');
  const value =
    typeof said === 'number' || (typeof said === 'string' && /^\d{9,19}(\.\d+)?$/.test(said)) ? Number(said) : 0;
  if (!(value > 1e8)) return undefined;
  const ms = value < 1e11 ? value * 1e3 : value < 1e14 ? value : value < 1e17 ? value / 1e3 : value / 1e6;
  return ms < 8.64e15 ? new Date(ms).toISOString() : undefined;
}

/** Undefined when there are no fields, or too many. */
export function smallFields(fields: Record<string, unknown>): Record<string, unknown> | undefined {
  if (Object.keys(fields).length === 0) return undefined;
  return Buffer.byteLength(JSON.stringify(fields)) <= maxFieldsBytes ? fields : undefined;
}
