import { agentFrames, type AgentFrame, type Heartbeat, type Logs } from '../../generated/frames.js';
import { limits, protocol } from '../../generated/protocol.js';
import { sanitizeJson } from '../kernel/sanitize-json.ts';
import { repairReports, type Repairs } from './report-repair.ts';

/** The result of reading a message. Frames of unknown types are ignored: protocol 1 only ever gets additions. */
type Read =
  | { kind: 'frame'; frame: AgentFrame; repairs?: Repairs }
  | { kind: 'unknown' }
  | { kind: 'unsupported' } // a hello of another protocol
  | { kind: 'invalid'; reason: string };

/** Close reasons hold 123 bytes. */
const maxReasonLength = 120;
const maxDepth = 64;

const invalid = (reason: string): Read => ({ kind: 'invalid', reason: reason.slice(0, maxReasonLength) });

/** Reads one text message of an agent. The reason of `invalid` names the place, never the value. */
export function readFrame(text: string): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid('a frame must be JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalid('a frame must be an object');
  const { type } = value as { type?: unknown };
  if (typeof type !== 'string') return invalid('type: must be a string');
  if (!Object.hasOwn(agentFrames, type)) return { kind: 'unknown' };
  // Checked first: the hello of another protocol may look different.
  if (type === 'hello') {
    const wanted = (value as { protocol?: unknown }).protocol;
    if (Number.isInteger(wanted) && wanted !== protocol) return { kind: 'unsupported' };
  }
  const validate = agentFrames[type as AgentFrame['type']];
  let repairs: Repairs | undefined;
  if (!validate(value)) {
    repairs = repairReports(value);
    if (!validate(value)) {
      const [error] = validate.errors ?? [];
      return invalid(`${type}${error?.instancePath ?? ''}: ${error?.message ?? 'invalid'}`);
    }
  }
  const frame = value as AgentFrame; // the validator of this type accepted it
  if (frame.type === 'hello') {
    if (!isPlain(frame.agent_version)) return invalid('hello/agent_version: must be plain text');
    if (!isPlain(frame.boot_id)) return invalid('hello/boot_id: must be plain text');
    if (!isPlain(frame.instance ?? '')) return invalid('hello/instance: must be plain text');
  }
  if (frame.type === 'logs') {
    const fault = faultOfNumbers(frame);
    if (fault !== undefined) return invalid(fault);
  }
  return { kind: 'frame', frame, ...(repairs && { repairs }) };
}

/**
 * What is wrong with the numbers of log records. Of two records with one number, one would be lost, so the agent is
 * told.
 */
function faultOfNumbers({ records, from_seq: fromSeq, to_seq: toSeq }: Logs): string | undefined {
  let [lowest, highest, isRising] = [Infinity, 0, true];
  for (const { seq } of records) {
    if (seq <= highest) isRising = false;
    lowest = Math.min(lowest, seq);
    highest = Math.max(highest, seq);
  }
  if (!isRising) {
    const seen = new Set<number>();
    for (const { seq } of records) {
      if (seen.has(seq)) return `logs/records: more than one has the seq ${seq}`;
      seen.add(seq);
    }
  }
  if (fromSeq !== lowest) return `logs/from_seq: must be the lowest seq of the records, ${lowest}`;
  if (toSeq !== highest) return `logs/to_seq: must be the highest seq of the records, ${highest}`;
  return undefined;
}

/** Text that Postgres can store and a terminal can show. */
const isPlain = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text);

/** The snapshot of a heartbeat as the stored text, which any JSON parser accepts, or the reason for refusing it. */
export function readSnapshot({ health }: Heartbeat): { text: string | undefined } | { reason: string } {
  if (health === undefined) return { text: undefined };
  if (isDeep(health)) return { reason: `heartbeat/health: nested deeper than ${maxDepth}` };
  const text = sanitizeJson(JSON.stringify(health));
  // A character is 1 to 3 bytes of UTF-8, so most texts need not be measured.
  if (text.length > limits.maxSnapshotBytes / 3 && Buffer.byteLength(text) > limits.maxSnapshotBytes)
    return { reason: `heartbeat/health: larger than ${limits.maxSnapshotBytes} bytes` };
  return { text };
}

/** Whether writing it as JSON again, here or for a reader, could overflow the stack. Walks without recursion. */
function isDeep(root: object): boolean {
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    const next: object[] = [];
    for (const each of level)
      for (const child of Object.values(each) as unknown[])
        if (typeof child === 'object' && child !== null) next.push(child);
    level = next;
  }
  return false;
}
