import { limits } from '../../generated/protocol.js';
import { commonInstant } from '../kernel/instants.ts';
import { levels, type Level } from './model.ts';
import {
  maxFieldsBytes,
  maxNameCharacters,
  maxReasonCharacters,
  maxSourceCharacters,
  type KeptFrame,
  type RecordLine,
} from './normalise.ts';

/*
 * Frames as the agent writes them: members in one order, without whitespace, every text and number in the form that
 * JSON.stringify gives it, nothing to cut or to leave out. In such a frame, a record without its number is already the
 * line that is stored. Parsing it and writing it again takes several times as long.
 *
 * The patterns match nothing that parsing and normalising would refuse or change.
 */

/** A character that JSON.stringify writes as it is. */
const bare = String.raw`[^"\\\0-\x1f\ud800-\udfff]`;
/** Its escapes, except those of NUL and of lone surrogates; and what it writes as it is in two units. */
const other = String.raw`(?:\\(?:["\\bfnrt]|u00(?:0[1-7bef]|1[0-9a-f]))|[\ud800-\udbff][\udc00-\udfff])`;
const text = `"${bare}*(?:${other}${bare}*)*"`;
const name = (maxCharacters: number) => `"${bare}{1,${maxCharacters}}"`;
/** Up to 15 digits: all of them are safe integers. */
const seq = String.raw`[1-9]\d{0,14}`;
const count = `(?:0|${seq})`;
/** Numbers that have one form only. */
const number = String.raw`(?:0|-?[1-9]\d{0,14}|-?(?:0|[1-9]\d{0,8})\.\d{0,4}[1-9])`;
const value = `(?:${text}|${number}|true|false|null)`;
/** Names that are no indexes, which JSON.stringify would move to the front. */
const fieldName = String.raw`[A-Za-z_][\w.-]{0,63}`;
const maxFields = 8;

/** Up to `maxFields` fields that follow, each with a name that none of the groups from `firstGroup` on has matched. */
function fieldsFrom(firstGroup: number, group = firstGroup): string {
  if (group === firstGroup + maxFields) return '';
  const earlier = Array.from({ length: group - firstGroup }, (_each, index) => `\\${firstGroup + index}`);
  const isNew = earlier.length > 0 ? `(?!(?:${earlier.join('|')})")` : '';
  const comma = earlier.length > 0 ? ',' : '';
  return `(?:${comma}"${isNew}(${fieldName})":${value}${fieldsFrom(firstGroup, group + 1)})?`;
}

const optional = (member: string) => `(?:,${member})?`;

const head = new RegExp(
  String.raw`\{"type":"logs","spool":"([A-Za-z0-9][A-Za-z0-9._-]{0,63})","from_seq":(${seq}),"to_seq":(${seq}),"records":\[`,
  'y',
);
/** Groups: the names of the fields. */
const record = new RegExp(
  [
    String.raw`\{"seq":${seq},(?:"type":"gap",)?"ts":"${commonInstant}","level":"(?:${levels.join('|')})"`,
    `,"source":${name(maxSourceCharacters)},"message":${text}`,
    optional('"truncated":true'),
    optional(`"unit":${name(maxNameCharacters)}`),
    optional(`"pid":${count}`),
    optional(`"node":${name(maxNameCharacters)}`),
    optional(String.raw`"fields":\{${fieldsFrom(1)}\}`),
    optional(`"dropped":${count}`),
    optional(`"reason":${name(maxReasonCharacters)}`),
    String.raw`\}`,
  ].join(''),
  'y',
);

/** In a line of this size, neither the message nor the fields are too long. */
const maxLineBytes = Math.min(limits.maxMessageBytes, maxFieldsBytes);

/**
 * The records of a valid `logs` frame in the common form, as `keepFrame` gives them for the parsed frame. Undefined for
 * every other text, valid or not: it must be parsed.
 */
export function scanLogs(frame: string): KeptFrame | undefined {
  head.lastIndex = 0;
  const [, spool, fromSeq, toSeq] = head.exec(frame) ?? [];
  if (spool === undefined) return undefined;
  let kept: { seqs: number[]; records: RecordLine[] } | undefined;
  let at = head.lastIndex;
  for (let separator = ','; separator === ','; at += 1) {
    record.lastIndex = at;
    // Without a list of groups for each record: what is wanted of one is found faster at its place.
    if (!record.test(frame)) return undefined;
    const seqEnd = frame.indexOf(',', at);
    const json = `{${frame.slice(seqEnd + 1, record.lastIndex)}`;
    if (json.length * 3 > maxLineBytes && Buffer.byteLength(json) > maxLineBytes) return undefined;
    const seq = Number(frame.slice(at + '{"seq":'.length, seqEnd));
    if (seq <= (kept?.seqs.at(-1) ?? 0)) return undefined;
    const line = { json, level: levelAt(frame, seqEnd) };
    if (kept) {
      kept.seqs.push(seq);
      kept.records.push(line);
    } else kept = { seqs: [seq], records: [line] }; // most have one, and a list that grows from none has room for 17
    at = record.lastIndex;
    separator = frame.charAt(at);
  }
  const isWhole = at === frame.length - 1 && frame.endsWith(']}');
  if (!kept || !isWhole || kept.seqs.length > limits.maxRecordsPerFrame) return undefined;
  const { seqs, records } = kept;
  return seqs[0] === Number(fromSeq) && seqs.at(-1) === Number(toSeq) ? { spool, seqs, records } : undefined;
}

/** The level of the record whose number ends here. Nothing before it in a record can contain its name. */
function levelAt(frame: string, from: number): Level {
  const at = frame.indexOf('"level":"', from) + '"level":"'.length;
  return frame.slice(at, frame.indexOf('"', at)) as Level; // the pattern has no other
}
