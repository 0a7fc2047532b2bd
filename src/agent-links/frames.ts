import { agentFrames, type AgentFrame, type HealthOmission, type Logs } from '../../generated/frames.js';
import { protocol } from '../../generated/protocol.js';
import { repairReports, type Repairs } from './report-repair.ts';
import { omitInvalidParts } from './snapshots.ts';

/** The result of reading a message. Frames of unknown types are ignored: protocol 1 only ever gets additions. */
type Read =
  | { kind: 'frame'; frame: AgentFrame; repairs?: Repairs; omitted?: HealthOmission[] }
  | { kind: 'unknown' }
  | { kind: 'unsupported' } // a hello of another protocol
  | { kind: 'invalid'; reason: string };

/** Close reasons hold 123 bytes. */
const maxReasonLength = 120;

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
  let omitted: HealthOmission[] | undefined;
  if (!validate(value)) {
    if (type === 'heartbeat') omitted = omitInvalidParts((value as { health?: unknown }).health);
    else repairs = repairReports(value);
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
  return { kind: 'frame', frame, ...(repairs && { repairs }), ...(omitted && { omitted }) };
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
