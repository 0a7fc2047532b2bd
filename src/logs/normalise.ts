import type { Logs, SpooledRecord } from '../../generated/frames.d.ts';
import { limits } from '../../generated/protocol.js';
import { cutBytes } from '../kernel/cut-bytes.ts';
import { sanitizeJson } from '../kernel/sanitize-json.ts';
import { isInstant } from '../kernel/instants.ts';
import { redactSaid, type Redacted, type Redactor } from '../log-redactions/service.ts';
import { levelRank, readLevel, type KeptRecord, type Level } from './model.ts';

export const maxSourceCharacters = 128; // the longest that the contract lets a reader request
export const maxNameCharacters = 256; // unit, node
export const maxReasonCharacters = 64;
export const maxFieldsBytes = 8_192; // of UTF-8, as JSON
const maxDepth = 32; // of fields, and of a message that is not text
const maxTsCharacters = 64;

/** A record as it is stored. */
export interface KeptLine {
  text: string; // one line of JSON, without its line feed
  rank: number; // of its level
  isRedacted: boolean;
}

/** A record of a frame before anything is removed from it: as it was read, its message uncut; or already as its line. */
export type FrameRecord = KeptRecord | RecordLine;

/** What JSON.stringify writes of a record in which nothing is too long. */
export interface RecordLine {
  json: string;
  level: Level;
}

/** The records of a frame, by ascending number. */
export interface KeptFrame {
  spool: string;
  seqs: readonly number[];
  records: readonly FrameRecord[]; // one for each number
}

/** Records sent in another order would count as sent again, and be acknowledged unstored. */
export function keepFrame({ spool, records }: Logs): KeptFrame {
  const isRising = records.every(({ seq }, index) => index === 0 || seq > (records[index - 1]?.seq ?? 0));
  const inOrder = isRising ? records : [...records].sort((one, other) => one.seq - other.seq);
  return { spool, seqs: inOrder.map(({ seq }) => seq), records: inOrder.map(readRecord) };
}

/**
 * Turns whatever a robot sent into a record that can be stored, and never refuses. A robot that cannot get rid of one
 * record could not send those after it either. The robot's clock is data; only a `ts` that is no instant is left out.
 */
function readRecord(sent: SpooledRecord): KeptRecord {
  const kept: KeptRecord = {
    ...(sent.type === 'gap' ? { type: 'gap' } : {}),
    ...(isTs(sent.ts) ? { ts: sent.ts } : {}),
    level: readLevel(sent.level),
    source: nameOf(sent.source, maxSourceCharacters) ?? 'unknown',
    message: textOf(sent.message),
  };
  if (sent.truncated === true) kept.truncated = true;
  if (sent.unit !== undefined) assign(kept, 'unit', nameOf(sent.unit, maxNameCharacters));
  if (sent.pid !== undefined) assign(kept, 'pid', countOf(sent.pid));
  if (sent.node !== undefined) assign(kept, 'node', nameOf(sent.node, maxNameCharacters));
  if (sent.fields !== undefined) keepFields(kept, sent.fields);
  if (sent.dropped !== undefined) assign(kept, 'dropped', countOf(sent.dropped));
  if (sent.reason !== undefined) assign(kept, 'reason', nameOf(sent.reason, maxReasonCharacters));
  return kept;
}

export const recordOf = (record: FrameRecord): KeptRecord =>
  'json' in record ? (JSON.parse(record.json) as KeptRecord) : record;

/** The line of a record, without what the redactor removes. One look at its JSON decides for most. */
export function toLine(record: FrameRecord, redactor: Redactor): KeptLine {
  const json = 'json' in record ? record.json : isShort(record.message) ? JSON.stringify(record) : undefined;
  if (json !== undefined && !redactor.mayMatch(json)) return finishLine(json, record);
  const kept = redacted(recordOf(record), redactor);
  return finishLine(JSON.stringify(kept), kept);
}

/**
 * Every line passes here. `json` is a KeptRecord as JSON.stringify writes it; NUL and lone surrogates are still in it.
 */
const finishLine = (
  json: string,
  { level, redacted: isRedacted }: Pick<KeptRecord, 'level' | 'redacted'>,
): KeptLine => ({
  text: sanitizeJson(json),
  rank: levelRank(level),
  isRedacted: isRedacted === true,
});

/** The record itself, changed. */
function redacted(kept: KeptRecord, { redact }: Redactor): KeptRecord {
  const left = redactSaid(kept, redact);
  if (left) leave(kept, left);
  const cut = cutBytes(kept.message, limits.maxMessageBytes);
  if (cut.length < kept.message.length) kept.truncated = true;
  kept.message = cut;
  return kept;
}

/** Replaces what a record says by what is left of it. Fields that have become too large are dropped, as others are. */
export function leave(kept: KeptRecord, { message, isCut, fields }: Redacted): void {
  const { fields: before } = kept;
  kept.message = message;
  kept.redacted = true;
  if (isCut) kept.truncated = true;
  if (fields === before) return;
  delete kept.fields;
  if (fields) keepFields(kept, fields);
  else kept.fields_dropped = true;
}

function assign<Name extends keyof KeptRecord>(kept: KeptRecord, name: Name, value: KeptRecord[Name] | undefined) {
  if (value !== undefined) kept[name] = value;
}

const isTs = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxTsCharacters && isInstant(value);

/**
 * A message that is not text is stored as JSON. JSON.stringify takes the square of the depth, so a message that is nested
 * deeper is left out.
 */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || isDeeper(value, maxDepth) ? '' : JSON.stringify(value);
}

/** Whether the text cannot have more bytes than a message may have. */
const isShort = (text: string): boolean => text.length * 3 <= limits.maxMessageBytes;

/** A non-empty text, cut to `maxCharacters`. */
function nameOf(value: unknown, maxCharacters: number): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  if (value.length <= maxCharacters) return value;
  return Array.from(value.slice(0, maxCharacters * 2)) // a character has at most two units
    .slice(0, maxCharacters)
    .join('');
}

const countOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;

function keepFields(kept: KeptRecord, value: unknown): void {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject && !isDeeper(value, maxDepth) && Buffer.byteLength(JSON.stringify(value)) <= maxFieldsBytes)
    kept.fields = value as Record<string, unknown>;
  else kept.fields_dropped = true;
}

/** Whether objects and arrays are nested in more than so many levels. */
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)));
